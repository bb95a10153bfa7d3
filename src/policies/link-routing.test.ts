import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linkRoutingOptions, planLinkRouting } from "./link-routing.ts";

const BIEM = linkRoutingOptions.parse({
  temporal: { window_seconds: 300, min_weight: 0.1, max_links: 5, max_weight: 2 },
  semantic: { similarity_threshold: 0.7, max_links: 10, max_weight: 2 },
  causal: { min_confidence: 0.8, max_links: 10, max_weight: 2 },
  strengthen_by: 0.1,
  max_out_edges: 50,
});
const NOW = 1_000_000;
const ago = (id: string, seconds: number) => ({ id, at: NOW - seconds * 1000 });

type Change = Partial<Parameters<typeof planLinkRouting<string>>[0]>;
const route = (change: Change) =>
  planLinkRouting({
    entry: { id: "me", at: NOW },
    recent: [],
    similar: [],
    causes: [],
    existing: [],
    options: BIEM,
    ...change,
  });

describe("[S4-7][S4-16] the links of a new entry", () => {
  test("temporal: within 5 minutes, weighing max(0.1, 1 − Δ/300 s)", () => {
    const recent = [ago("now", 0), ago("half", 150), ago("far", 290), ago("edge", 300), ago("gone", 301)];
    expect(route({ recent }).set).toEqual([
      { to: "now", type: "temporal", weight: 1 },
      { to: "half", type: "temporal", weight: 0.5 },
      { to: "far", type: "temporal", weight: 0.1 },
      { to: "edge", type: "temporal", weight: 0.1 },
    ]);
  });

  test("temporal: the 5 most recent, in whatever order they are given", () => {
    const recent = [60, 10, 50, 20, 40, 30].map((seconds) => ago(`${seconds}`, seconds));
    expect(route({ recent }).set.map(({ to }) => to)).toEqual(["10", "20", "30", "40", "50"]);
  });

  test("semantic: more alike than 0.7, the 10 most alike, weighing their likeness", () => {
    const similar = [
      { id: "b", similarity: 0.71 },
      { id: "line", similarity: 0.7 },
      { id: "a", similarity: 0.9 },
      { id: "me", similarity: 1 },
    ];
    expect(route({ similar }).set).toEqual([
      { to: "a", type: "semantic", weight: 0.9 },
      { to: "b", type: "semantic", weight: 0.71 },
    ]);
    const many = Array.from({ length: 20 }, (_, i) => ({ id: `s${i}`, similarity: 0.8 }));
    expect(route({ similar: many }).set).toHaveLength(10);
  });

  test("causal: only from a confidence of 0.8 on", () => {
    const causes = [
      { id: "sure", confidence: 0.8 },
      { id: "unsure", confidence: 0.79 },
    ];
    expect(route({ causes }).set).toEqual([{ to: "sure", type: "causal", weight: 0.8 }]);
  });

  test("[C-35] several types may join one pair, and each may be switched off", () => {
    const both = {
      recent: [ago("a", 0)],
      similar: [{ id: "a", similarity: 0.9 }],
      causes: [{ id: "a", confidence: 1 }],
    };
    expect(route(both).set.map(({ type }) => type)).toEqual(["temporal", "semantic", "causal"]);
    const off = { ...BIEM, temporal: null, semantic: null, causal: null };
    expect(route({ ...both, options: off }).set).toEqual([]);
  });
});

describe("links that are there already", () => {
  test("grow by 0.1 up to the cap of their type", () => {
    const existing = [
      { to: "a", type: "semantic", weight: 1 },
      { to: "b", type: "semantic", weight: 1.95 },
    ];
    const similar = ["a", "b"].map((id) => ({ id, similarity: 0.8 }));
    expect(route({ existing, similar })).toEqual({
      set: [
        { to: "a", type: "semantic", weight: 1.1 },
        { to: "b", type: "semantic", weight: 2 },
      ],
      drop: [],
    });
  });

  test("at the cap nothing is written; named twice, a link grows or is made once", () => {
    const existing = [
      { to: "full", type: "semantic", weight: 2 },
      { to: "a", type: "semantic", weight: 1 },
    ];
    const similar = ["full", "a", "a", "b", "b"].map((id, i) => ({ id, similarity: 0.9 - i / 100 }));
    expect(route({ existing, similar })).toEqual({
      set: [
        { to: "a", type: "semantic", weight: 1.1 },
        { to: "b", type: "semantic", weight: 0.87 },
      ],
      drop: [],
    });
  });

  test("beyond the number of links the weakest go, old or new", () => {
    const options = { ...BIEM, max_out_edges: 2 };
    const existing = [
      { to: "weak", type: "relation", weight: 0.2 },
      { to: "strong", type: "relation", weight: 3 },
    ];
    const similar = [
      { id: "a", similarity: 0.9 },
      { id: "b", similarity: 0.8 },
    ];
    expect(route({ existing, similar, options })).toEqual({
      set: [{ to: "a", type: "semantic", weight: 0.9 }],
      drop: [{ to: "weak", type: "relation", weight: 0.2 }],
    });
  });

  test("never more links than allowed, none to itself, no weight beyond its cap", () => {
    const id = fc.constantFrom("me", ..."abcdefgh");
    const links = fc.uniqueArray(
      fc.record({
        to: id,
        type: fc.constantFrom("temporal", "semantic"),
        weight: fc.double({ min: 0.1, max: 2, noNaN: true }),
      }),
      { selector: ({ to, type }) => `${type} ${to}` },
    );
    const similar = fc.array(fc.record({ id, similarity: fc.double({ min: 0, max: 1, noNaN: true }) }));
    const recent = fc.array(fc.record({ id, at: fc.integer({ min: 0, max: 2 * NOW }) }));
    fc.assert(
      fc.property(
        links,
        similar,
        recent,
        fc.integer({ min: 1, max: 6 }),
        (given, alike, near, max_out_edges) => {
          const existing = given.filter(({ to }) => to !== "me");
          const plan = route({ existing, similar: alike, recent: near, options: { ...BIEM, max_out_edges } });
          const left = new Set(
            existing.filter((link) => !plan.drop.includes(link)).map(({ to, type }) => `${type} ${to}`),
          );
          for (const { to, type, weight } of plan.set) {
            left.add(`${type} ${to}`);
            expect(to).not.toBe("me");
            expect(weight).toBeGreaterThan(0);
            expect(weight).toBeLessThanOrEqual(2);
          }
          expect(left.size).toBeLessThanOrEqual(max_out_edges);
        },
      ),
    );
  });
});
