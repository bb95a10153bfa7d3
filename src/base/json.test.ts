import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonObjectSchema, jsonSchema, MAX_JSON_DEPTH } from "./json.ts";

test("any JSON is accepted and comes out equal, as a copy", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      fc.pre(!JSON.stringify(value).includes('"__proto__"'));
      expect(jsonSchema.parse(value)).toEqual(value);
    }),
  );
  const given = { deep: { list: [1] } };
  const copy = jsonObjectSchema.parse(given);
  given.deep.list.push(2);
  expect(copy).toEqual({ deep: { list: [1] } });
});

test.each([
  ["undefined", { a: undefined }],
  ["not a number", { a: Number.NaN }],
  ["infinity", { a: Number.POSITIVE_INFINITY }],
  ["a date", { a: new Date(0) }],
  ["a map", { a: new Map() }],
  ["a function", { a: () => 1 }],
  ["a big integer", { a: 1n }],
  ["a list where an object belongs", [1]],
  ["null where an object belongs", null],
  ["a key that would be dropped", JSON.parse('{ "a": { "__proto__": 1 } }')],
])("%s is refused", (_, value) => {
  expect(jsonObjectSchema.safeParse(value).success).toBe(false);
});

test("loops and bottomless nesting are refused with a reason, not with a stack overflow", () => {
  const loop: { self?: unknown } = {};
  loop.self = [loop];
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { in: nested(levels - 1) });
  expect(jsonObjectSchema.safeParse(nested(MAX_JSON_DEPTH)).success).toBe(true);
  for (const value of [loop, nested(MAX_JSON_DEPTH + 1), nested(5000)]) {
    expect(jsonObjectSchema.safeParse(value).error?.issues[0]?.message).toContain("nor nest deeper than");
  }
});
