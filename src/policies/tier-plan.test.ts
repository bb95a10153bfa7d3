import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  moveOf,
  planMove,
  planOverflow,
  TIER_MOVES,
  type TierPlan,
  tierAbove,
  tierBelow,
  tierNamed,
  tierPlanSchema,
} from "./tier-plan.ts";

const tier = (name: string, change: object = {}) => ({
  name,
  capacity: null,
  membership: "exclusive",
  enter: null,
  leave: null,
  ...change,
});
const plan = (...tiers: object[]): TierPlan => tierPlanSchema.parse({ tiers });

const SEED = plan(
  tier("stm", { enter: 0.8, leave: 0.3, capacity: 2 }),
  tier("mtm", { enter: 0.8, leave: 0.3 }),
  tier("ltm", { leave: 0.3, capacity: 1 }),
);
const BIEM = plan(
  tier("L1", { membership: "overlay", enter: 0.7, leave: 0.3, capacity: 100 }),
  tier("L2"),
  tier("L3", { membership: "overlay", enter: 0.9 }),
);

describe("the plan", () => {
  test("[C-6] neighbours by rank, none beyond the ends", () => {
    expect(tierAbove(SEED, "mtm")?.name).toBe("stm");
    expect(tierBelow(SEED, "mtm")?.name).toBe("ltm");
    expect(tierAbove(SEED, "stm")).toBeUndefined();
    expect(tierBelow(SEED, "ltm")).toBeUndefined();
  });

  test("names may be Chinese; an unknown one is refused with the valid ones", () => {
    expect(tierNamed(plan(tier("短期"), tier("长期")), "长期").name).toBe("长期");
    expect(() => tierBelow(SEED, "mtn")).toThrow(/"mtn".*ltm, mtm, stm.*Did you mean/);
  });

  test("what contradicts itself is refused", () => {
    expect(() => plan()).toThrow();
    expect(() => plan(tier("a"), tier("a"))).toThrow(/different names/);
    expect(() => plan(tier("a", { enter: 0.3, leave: 0.7 }))).toThrow(/leave must not be above enter/);
    expect(() => plan(tier("a", { capacity: 0 }))).toThrow();
    expect(() => plan({ name: "a" })).toThrow();
  });
});

describe("moves by vitality", () => {
  test("[S1-18][C-4] promoted from the line of the tier above on, demoted below the line of its own", () => {
    expect(planMove(SEED, "mtm", 0.8, "promote")).toEqual({
      kind: "promote",
      from: "mtm",
      to: "stm",
      leaves: true,
    });
    expect(planMove(SEED, "mtm", 0.79, "promote")).toBeUndefined();
    expect(planMove(SEED, "mtm", 0.29, "demote")?.to).toBe("ltm");
    expect(planMove(SEED, "mtm", 0.3, "demote")).toBeUndefined();
  });

  test("[S1-19] one step at a time, and at the ends nothing moves", () => {
    expect(planMove(SEED, "ltm", 1, "promote")?.to).toBe("mtm");
    expect(planMove(SEED, "stm", 1, "promote")).toBeUndefined();
    expect(planMove(SEED, "ltm", 0, "demote")).toBeUndefined();
    expect(planMove(SEED, "ltm", 1, "archive")).toBeUndefined();
  });

  test("[C-8] to archive is towards the last tier, for what is alive enough to enter it", () => {
    expect(planMove(BIEM, "L2", 0.9, "archive")?.to).toBe("L3");
    expect(planMove(BIEM, "L2", 0.89, "archive")).toBeUndefined();
  });

  test("a line that is not drawn moves nothing", () => {
    expect(planMove(BIEM, "L2", 0, "demote")).toBeUndefined();
    expect(planMove(BIEM, "L1", 1, "archive")).toBeUndefined();
  });

  test("[C-7] into an overlay without leaving, out of it back to where it still is", () => {
    expect(planMove(BIEM, "L2", 0.7, "promote")).toMatchObject({ to: "L1", leaves: false });
    expect(planMove(BIEM, "L1", 0.29, "demote")).toMatchObject({ to: "L2", leaves: true });
  });

  test("by hand no line is asked", () => {
    expect(moveOf(SEED, "stm", "archive")?.to).toBe("mtm");
    expect(moveOf(SEED, "stm", "promote")).toBeUndefined();
  });

  test("every planned move is one step along the plan, and nothing is both promoted and demoted", () => {
    const name = fc.constantFrom("stm", "mtm", "ltm");
    fc.assert(
      fc.property(name, fc.double({ min: 0, max: 1, noNaN: true }), (from, vitality) => {
        const rank = (one: string) => SEED.tiers.findIndex((t) => t.name === one);
        const moves = TIER_MOVES.flatMap((kind) => planMove(SEED, from, vitality, kind) ?? []);
        for (const { to } of moves) expect(Math.abs(rank(to) - rank(from))).toBe(1);
        const kinds = moves.map(({ kind }) => kind);
        expect(kinds.includes("promote") && kinds.includes("demote")).toBe(false);
      }),
    );
  });
});

describe("overflow", () => {
  const members = [
    { id: "old", vitality: 0.5 },
    { id: "weak", vitality: 0.1 },
    { id: "new", vitality: 0.5 },
    { id: "hot", vitality: 0.9 },
  ];

  test("the weakest beyond the capacity go one down, of equals the first", () => {
    expect(planOverflow(SEED, "stm", members)).toEqual({
      ids: ["weak", "old"],
      move: { kind: "demote", from: "stm", to: "mtm", leaves: true },
    });
  });

  test("within the capacity, or without one, nothing goes", () => {
    expect(planOverflow(SEED, "stm", members.slice(0, 2)).ids).toEqual([]);
    expect(planOverflow(SEED, "mtm", members).ids).toEqual([]);
  });

  test("at the last tier there is nowhere to go, and it says so", () => {
    expect(planOverflow(SEED, "ltm", members)).toEqual({ ids: ["weak", "old", "new"], move: undefined });
  });
});
