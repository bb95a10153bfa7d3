import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  linkEvolutionOptions,
  planLinkEvolution,
  planStrengthen,
  strengthenOptions,
} from "./link-evolution.ts";

const SEED = linkEvolutionOptions.parse({
  similarity_threshold: 0.7,
  decay_factor: 0.95,
  drop_below: 0.1,
  strengthen_factor: 0.2,
  max_weight: 2,
  max_similar: 20,
  max_neighbours: 100,
});
const STRENGTHEN = strengthenOptions.parse({ strengthen_factor: 0.1, decay_rate: 0.01, max_weight: 10 });

type Change = Partial<Parameters<typeof planLinkEvolution<string>>[0]>;
const evolve = (change: Change) =>
  planLinkEvolution({ node: "me", neighbours: [], similar: [], options: SEED, ...change });

describe("[S1-8][S1-9] evolution of links", () => {
  test("fades, drops, grows and makes links in one plan", () => {
    const plan = evolve({
      neighbours: [
        { id: "kept", weight: 1 },
        { id: "weak", weight: 0.1 },
        { id: "alike", weight: 1 },
      ],
      similar: [
        { id: "me", similarity: 1 },
        { id: "alike", similarity: 0.9 },
        { id: "new", similarity: 0.7 },
        { id: "unlike", similarity: 0.69 },
      ],
    });
    expect(plan).toEqual({
      set: [
        { id: "kept", weight: 0.95 },
        { id: "alike", weight: 0.95 + 0.2 * 0.9 },
      ],
      drop: ["weak"],
      create: [{ id: "new", weight: 0.7 }],
      touched: 5,
    });
  });

  test("each touched link counts once per step: 3 faded, 2 grown or made", () => {
    const neighbours = ["a", "b", "c"].map((id) => ({ id, weight: 1 }));
    const similar = ["a", "d"].map((id) => ({ id, similarity: 0.8 }));
    expect(evolve({ neighbours }).touched).toBe(3);
    expect(evolve({ similar }).touched).toBe(2);
    expect(evolve({ neighbours, similar }).touched).toBe(5);
    expect(evolve({}).touched).toBe(0);
  });

  test("a stable neighbour at likeness 0.8 converges to the cap of 2 (B.1)", () => {
    let weight = 0.8;
    let steps = 0;
    for (; weight < 2; steps++) {
      const { set } = evolve({
        neighbours: [{ id: "a", weight }],
        similar: [{ id: "a", similarity: 0.8 }],
      });
      expect(set[0]?.weight).toBeGreaterThan(weight);
      weight = set[0]?.weight ?? 0;
    }
    expect(weight).toBe(2);
    expect(steps).toBe(14);
    const again = evolve({ neighbours: [{ id: "a", weight }], similar: [{ id: "a", similarity: 0.8 }] });
    expect(again).toEqual({ set: [], drop: [], create: [], touched: 2 });
  });

  test("a link that faded away but is alike is kept at its likeness", () => {
    const plan = evolve({
      neighbours: [{ id: "a", weight: 0.1 }],
      similar: [{ id: "a", similarity: 0.75 }],
    });
    expect(plan).toEqual({ set: [{ id: "a", weight: 0.75 }], drop: [], create: [], touched: 2 });
  });

  test("no more than 20 alike are looked at, no more than 100 links fade", () => {
    const similar = Array.from({ length: 30 }, (_, i) => ({ id: `s${i}`, similarity: 0.9 }));
    expect(evolve({ similar }).create).toHaveLength(20);
    const neighbours = Array.from({ length: 130 }, (_, i) => ({ id: `n${i}`, weight: 1 }));
    expect(evolve({ neighbours })).toMatchObject({ touched: 100, set: { length: 100 } });
  });

  test("no weight beyond the cap, none below the line that faded; sets, drops and makes are apart", () => {
    const id = fc.constantFrom(..."abcdefgh");
    const links = fc.uniqueArray(fc.record({ id, weight: fc.double({ min: 0.01, max: 2, noNaN: true }) }), {
      selector: (link) => link.id,
    });
    const alike = fc.uniqueArray(fc.record({ id, similarity: fc.double({ min: 0, max: 1, noNaN: true }) }), {
      selector: (one) => one.id,
    });
    fc.assert(
      fc.property(links, alike, (neighbours, similar) => {
        const { set, drop, create } = evolve({ neighbours, similar, node: "a" });
        const ids = [...set.map((link) => link.id), ...drop, ...create.map((link) => link.id)];
        expect(new Set(ids).size).toBe(ids.length);
        for (const { weight } of [...set, ...create]) {
          expect(weight).toBeGreaterThanOrEqual(0.1);
          expect(weight).toBeLessThanOrEqual(2);
        }
        expect(create.map((link) => link.id)).not.toContain("a");
      }),
    );
  });
});

describe("strengthening", () => {
  test("B.0.2: links that were used gain 0.1 up to 10, the others lose a hundredth", () => {
    const neighbours = [
      { id: "used", weight: 1 },
      { id: "idle", weight: 1 },
      { id: "full", weight: 10 },
    ];
    expect(planStrengthen(neighbours, new Set(["used", "full"]), STRENGTHEN)).toEqual([
      { id: "used", weight: 1.1 },
      { id: "idle", weight: 0.99 },
    ]);
  });
});
