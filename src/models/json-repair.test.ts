import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import { readJson } from "./json-repair.ts";

const first = (text: string): unknown => readJson(text)[0]?.value;

describe("readJson", () => {
  const cases: readonly (readonly [what: string, reply: string, value: unknown])[] = [
    ["clean", '{"a": [1, -2.5e3, null, true]}', { a: [1, -2500, null, true] }],
    ["fenced", 'Sure:\n```json\n{"a": 1}\n```\nBye.', { a: 1 }],
    ["fenced without a language", "```\n[1, 2]\n```", [1, 2]],
    ["fence never closed", '```json\n{"a": 1}', { a: 1 }],
    ["prose around", 'The answer is {"a": "b"} as asked.', { a: "b" }],
    ["citation marks before", 'As [1] says: {"a": "b", "c": [2]}', { a: "b", c: [2] }],
    ["trailing commas", '{"a": [1, 2, ], "b": 3, }', { a: [1, 2], b: 3 }],
    ["missing commas", '{"a": 1\n "b": [{"c": 2} {"c": 3}]}', { a: 1, b: [{ c: 2 }, { c: 3 }] }],
    ["comments", '{"a": 1, // one\n /* two */ "b": 2 # three\n}', { a: 1, b: 2 }],
    ["single quotes", "{'a': 'it's here', 'b': 'x'}", { a: "it's here", b: "x" }],
    ["unquoted keys", "{a: 1, b_c: 2, 名字: 3}", { a: 1, b_c: 2, 名字: 3 }],
    ["Python literals", '{"a": True, "b": False, "c": None}', { a: true, b: false, c: null }],
    ["inner quotes", '{"a": "He said "hi" to me", "b": 1}', { a: 'He said "hi" to me', b: 1 }],
    ["Chinese inner quotes", '{"a": "他说"你好"，然后走了", "b": 1}', { a: '他说"你好"，然后走了', b: 1 }],
    ["raw line breaks", '{"a": "one\ntwo"}', { a: "one\ntwo" }],
    ["full-width punctuation", "{“名”：“张三”，“年”：3}", { 名: "张三", 年: 3 }],
    ["wrong bracket", '{"a": [1, 2}', { a: [1, 2] }],
    ["JSON in a JSON string", '"{\\"a\\": 1}"', { a: 1 }],
    ["thoughts before", '<think>maybe {"a": 0}?</think>\n{"a": 1}', { a: 1 }],
    ["a fence inside a string", '{"a": "```js\\nx\\n```", "b": 1,}', { a: "```js\nx\n```", b: 1 }],
    ["bad escapes", '{"a": "C:\\dir \\u00e9 \\uZZ"}', { a: "C:dir é uZZ" }],
    ["byte order mark", '\uFEFF{"a": 1}', { a: 1 }],
  ];
  test.each(cases)("%s", (_, reply, value) => {
    expect(first(reply)).toEqual(value);
  });

  const cut: readonly (readonly [reply: string, value: unknown])[] = [
    ['[{"a": 1}, {"a": 2, "b": "hal', [{ a: 1 }]],
    ['[{"a": 1}, {"a": 2}', [{ a: 1 }, { a: 2 }]],
    ['{"facts": ["one", "two", "thr', { facts: ["one", "two"] }],
    ['{"a": 12', {}],
    ['{"a": tr', {}],
    ['{"a": 1, "b', { a: 1 }],
    ['{"a": {"b": 1, "c": [1, 2', { a: { b: 1, c: [1] } }],
    ['```json\n{"facts": [{"t": "x"}, {"t": "y', { facts: [{ t: "x" }] }],
  ];
  test.each(cut)("keeps only what was whole of %s", (reply, value) => {
    expect(readJson(reply)[0]).toMatchObject({ value, truncated: true });
  });

  test("offers every value, whole ones and longer ones first", () => {
    const values = readJson('{"a": 1} then {"b": [1, 2, 3]} then [4').map(({ value }) => value);
    expect(values).toEqual([{ b: [1, 2, 3] }, { a: 1 }, []]);
  });

  test("finds nothing where there is nothing", () => {
    for (const reply of ["", "no json here", "I cannot do that.", "a } b ]", "[see below"]) {
      expect(readJson(reply)).toEqual([]);
    }
  });

  test("cannot be used to touch prototypes or to overflow the stack", () => {
    expect(Object.getPrototypeOf(first('{"__proto__": {"x": 1},}'))).toBe(Object.prototype);
    expect(() => readJson("[".repeat(100_000))).not.toThrow();
    expect(() => readJson("{a:".repeat(50_000))).not.toThrow();
  });

  const json = fc.jsonValue({ maxDepth: 4 }).map((value): Json => JSON.parse(JSON.stringify(value)));
  const container = json.filter((value) => typeof value === "object" && value !== null);

  test("law: what is JSON is read as JSON.parse reads it", () => {
    fc.assert(
      fc.property(json, (value) => {
        if (typeof value === "string") return;
        expect(readJson(JSON.stringify(value))).toEqual([{ value, repairs: [], truncated: false }]);
      }),
      { seed: 1 },
    );
  });

  test("law: prose and fences around it change nothing, whatever the strings hold", () => {
    fc.assert(
      fc.property(container, fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const found = readJson(`Here it is:\n${text}\nHope that helps.`);
        expect(found.map((one) => one.value)).toContainEqual(JSON.parse(text.toWellFormed()));
      }),
      { seed: 1 },
    );
  });

  test("law: cut anywhere, it neither throws nor invents: every scalar kept was in the original", () => {
    fc.assert(
      fc.property(container, fc.double({ min: 0, max: 1, noNaN: true }), (value, part) => {
        const text = JSON.stringify(value);
        const known = new Set(scalars(value));
        for (const found of readJson(text.slice(0, Math.floor(text.length * part)))) {
          for (const scalar of scalars(found.value)) expect(known.has(scalar)).toBe(true);
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test("law: never throws, on any text", () => {
    const noise = fc.string({ unit: fc.constantFrom(..."{}[]\"',:\\/* \n#`a1.-u“”，：") });
    fc.assert(
      fc.property(noise, (text) => void readJson(text)),
      { seed: 1, numRuns: 1000 },
    );
  });
});

function scalars(value: Json): string[] {
  if (typeof value !== "object" || value === null) return [JSON.stringify(value).toWellFormed()];
  return Object.values(value).flatMap((part: Json) => scalars(part));
}
