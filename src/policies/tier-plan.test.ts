import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planMove, TIER_MOVES, type TierLines, tierNamed } from "./tier-plan.ts";

const tier = (name: string, enter: number | null = null, leave: number | null = null): TierLines => ({
  name,
  enter,
  leave,
});

const SEED = [tier("stm", 0.8, 0.3), tier("mtm", 0.8, 0.3), tier("ltm", null, 0.3)];
const BIEM = [tier("L1", 0.7, 0.3), tier("L2"), tier("L3", 0.9)];

describe("the tier of a name", () => {
  test("[C-6] names may be Chinese; an unknown one is refused with the valid ones", () => {
    expect(tierNamed([tier("短期"), tier("长期")], "长期").name).toBe("长期");
    expect(() => planMove(SEED, "mtn", 1, "promote")).toThrow(/"mtn".*ltm, mtm, stm.*Did you mean/);
  });
});

describe("moves by vitality", () => {
  test("[S1-18][C-4] promoted from the line of the tier above on, demoted below the line of its own", () => {
    expect(planMove(SEED, "mtm", 0.8, "promote")).toEqual({ kind: "promote", from: "mtm", to: "stm" });
    expect(planMove(SEED, "mtm", 0.79, "promote")).toBeUndefined();
    expect(planMove(SEED, "mtm", 0.29, "demote")?.to).toBe("ltm");
    expect(planMove(SEED, "mtm", 0.3, "demote")).toBeUndefined();
  });

  test("[S1-19] one step at a time, and at the ends nothing moves", () => {
    expect(planMove([tier("a", 0.5), ...SEED], "mtm", 1, "promote")?.to).toBe("stm");
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

  test("every planned move is one step along the plan, and nothing is both promoted and demoted", () => {
    const name = fc.constantFrom("stm", "mtm", "ltm");
    fc.assert(
      fc.property(name, fc.double({ min: 0, max: 1, noNaN: true }), (from, vitality) => {
        const rank = (one: string) => SEED.findIndex((t) => t.name === one);
        const moves = TIER_MOVES.flatMap((kind) => planMove(SEED, from, vitality, kind) ?? []);
        for (const { to } of moves) expect(Math.abs(rank(to) - rank(from))).toBe(1);
        const kinds = moves.map(({ kind }) => kind);
        expect(kinds.includes("promote") && kinds.includes("demote")).toBe(false);
      }),
    );
  });
});
