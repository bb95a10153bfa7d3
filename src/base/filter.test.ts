import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { makeEntry } from "./entry.ts";
import { MemoryError } from "./errors.ts";
import { FILTER_FIELDS, type Filter, matches, parseFilter, readField, where } from "./filter.ts";
import { createIds } from "./ids.ts";
import { PUBLIC } from "./scope.ts";

const id = createIds().entry();
const entryOf = (fields: Partial<Entry> = {}): Entry => ({
  ...makeEntry({ content: "茶 and tea" }, { id, collection: "c", scope: PUBLIC, now: 100, contentHash: "" }),
  ...fields,
});

const words = fc.constantFrom("a", "b", "ab", "茶", "");
const numbers = fc.integer({ min: -2, max: 2 });
const scalars = fc.oneof(words, numbers, fc.boolean(), fc.constant(null));
const metadata = fc.dictionary(
  fc.constantFrom("x", "y", "list", "deep"),
  fc.oneof(scalars, fc.array(scalars), fc.dictionary(fc.constant("x"), scalars)),
);
const entries = fc
  .record({
    kind: words,
    tags: fc.array(words),
    strength: numbers,
    importance: fc.option(fc.constantFrom(0, 0.5, 1)),
    pinned: fc.boolean(),
    tier: fc.option(words),
    metadata,
  })
  .map(entryOf);
const fields = fc.constantFrom(
  "kind",
  "tags",
  "strength",
  "importance",
  "pinned",
  "tier",
  "metadata.x",
  "metadata.list",
  "metadata.deep.x",
  "metadata.none",
);
const bounds = fc.option(fc.oneof(words, numbers), { nil: undefined });
const leaves: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ op: fc.constant("eq" as const), field: fields, value: scalars }),
  fc.record({ op: fc.constant("in" as const), field: fields, values: fc.array(scalars) }),
  fc.record({
    op: fc.constant("range" as const),
    field: fields,
    gt: bounds,
    gte: bounds,
    lt: bounds,
    lte: bounds,
  }),
  fc.record({
    op: fc.constant("contains" as const),
    field: fields,
    value: fc.oneof(words, numbers, fc.boolean()),
  }),
);
const filters: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small" },
    leaves,
    fc.record({
      op: fc.constantFrom("and" as const, "or" as const),
      filters: fc.array(tie("filter"), { maxLength: 3 }),
    }),
    fc.record({ op: fc.constant("not" as const), filter: tie("filter") }),
  ),
})).filter;

const law = (check: (entry: Entry, a: Filter, b: Filter, c: Filter) => void) =>
  fc.assert(fc.property(entries, filters, filters, filters, check), { numRuns: 300 });

describe("the evaluator keeps the laws of logic", () => {
  test("de Morgan, both ways", () => {
    law((entry, a, b) => {
      const { and, or, not } = where;
      expect(matches(not(and(a, b)), entry)).toBe(matches(or(not(a), not(b)), entry));
      expect(matches(not(or(a, b)), entry)).toBe(matches(and(not(a), not(b)), entry));
    });
  });

  test("double negation, excluded middle, no contradiction", () => {
    law((entry, a) => {
      const { and, or, not } = where;
      expect(matches(not(not(a)), entry)).toBe(matches(a, entry));
      expect(matches(or(a, not(a)), entry)).toBe(true);
      expect(matches(and(a, not(a)), entry)).toBe(false);
    });
  });

  test("order and grouping are no matter; and distributes over or", () => {
    law((entry, a, b, c) => {
      const { and, or } = where;
      expect(matches(and(a, b), entry)).toBe(matches(and(b, a), entry));
      expect(matches(or(a, or(b, c)), entry)).toBe(matches(or(or(a, b), c), entry));
      expect(matches(and(a, or(b, c)), entry)).toBe(matches(or(and(a, b), and(a, c)), entry));
    });
  });

  test("an empty and is true, an empty or is false", () => {
    expect(matches(where.and(), entryOf())).toBe(true);
    expect(matches(where.or(), entryOf())).toBe(false);
  });

  test("in is an or of eq; a range is the and of its bounds", () => {
    fc.assert(
      fc.property(entries, fields, fc.array(scalars), bounds, bounds, (entry, field, values, gt, lte) => {
        expect(matches(where.in(field, values), entry)).toBe(
          matches(where.or(...values.map((value) => where.eq(field, value))), entry),
        );
        expect(matches(where.range(field, { gt, lte }), entry)).toBe(
          matches(where.and(where.range(field, { gt }), where.range(field, { lte })), entry),
        );
      }),
      { numRuns: 300 },
    );
  });

  test("a filter sent as JSON means the same", () => {
    law((entry, a) => {
      const received = parseFilter(JSON.parse(JSON.stringify(a)));
      expect(matches(received, entry)).toBe(matches(a, entry));
    });
  });

  test("a missing field equals nothing, lies in no range and contains nothing; not turns that round", () => {
    for (const filter of [
      where.eq("metadata.none", null),
      where.in("metadata.none", ["", 0, false, null]),
      where.range("metadata.none", {}),
      where.contains("metadata.none", ""),
    ]) {
      expect(matches(filter, entryOf())).toBe(false);
      expect(matches(where.not(filter), entryOf())).toBe(true);
    }
  });
});

describe("single conditions", () => {
  const entry = entryOf({
    tags: ["tea", "茶"],
    strength: 3,
    metadata: { city: "北京", years: [2024, 2025], place: { room: 7 }, when: "2025-01-02" },
  });

  test.each([
    [where.eq("metadata.city", "北京"), true],
    [where.eq("metadata.place.room", 7), true],
    [where.eq("metadata.place.room", "7"), false],
    [where.eq("supersededBy", null), true],
    [where.eq("importance", 0), false],
    [where.contains("content", "茶"), true],
    [where.contains("content", "Tea"), false],
    [where.contains("tags", "茶"), true],
    [where.contains("tags", "te"), false],
    [where.contains("metadata.years", 2024), true],
    [where.contains("metadata.years", "2024"), false],
    [where.range("strength", { gte: 3, lt: 4 }), true],
    [where.range("strength", { gt: 3 }), false],
    [where.range("strength", { gte: "3" }), false],
    [where.range("metadata.when", { gte: "2025-01-01", lt: "2025-02-01" }), true],
    [where.range("tags", { gte: "" }), false],
    [where.range("importance", { gte: 0 }), false],
    [where.in("kind", ["memory", "event"]), true],
    [where.in("kind", []), false],
    [where.eq("metadata.toString", null), false],
  ])("%j → %s", (filter, expected) => {
    expect(matches(parseFilter(filter), entry)).toBe(expected);
  });

  test("every field that may be named can be read", () => {
    for (const field of FILTER_FIELDS) expect(readField(entry, field)).not.toBeUndefined();
    expect(readField(entry, "scope")).toBeUndefined();
  });
});

describe("what is no filter is refused", () => {
  test.each([
    ["an unknown operator", { op: "like", field: "kind", value: "a" }, "input_invalid"],
    ["a missing value", { op: "eq", field: "kind" }, "input_invalid"],
    ["an unknown key", { op: "eq", field: "kind", value: 1, not: true }, "input_invalid"],
    ["an unknown field", where.eq("knd", "a"), 'Did you mean "kind"?'],
    ["the scope, which is no filter's business", where.eq("scope", "bob"), "Unknown field"],
    ["an unknown field deep inside", where.not(where.and(where.or(where.eq("nope", 1)))), "Unknown field"],
    ["metadata as a whole", where.eq("metadata", 1), "metadata.<path>"],
    ["text", "kind = 'a'", "input_invalid"],
    ["nothing", null, "input_invalid"],
  ])("%s", (_, value, expected) => {
    const parse = () => parseFilter(value);
    expect(parse).toThrowError(MemoryError);
    expect(parse).toThrowError(
      expected === "input_invalid"
        ? expect.objectContaining({ code: expected })
        : expect.objectContaining({ code: "input_invalid", message: expect.stringContaining(expected) }),
    );
  });

  test("nesting without end", () => {
    let filter: Filter = where.eq("kind", "a");
    for (let level = 0; level < 100_000; level++) filter = where.not(filter);
    expect(() => parseFilter(filter)).toThrowError(/nested too deeply/);
  });
});
