import { expect, test } from "vitest";
import { estimateChat } from "./estimate.ts";
import { fingerprint } from "./fingerprint.ts";

test("an estimate counts messages, tools and shape, and the most that may come back", () => {
  const countTokens = (text: string): number => text.length;
  const messages = [
    { role: "system" as const, text: "1234" },
    { role: "user" as const, text: "你好" },
  ];
  expect(estimateChat({ messages, maxTokens: 50 }, countTokens)).toEqual({
    inputTokens: 6,
    outputTokens: 50,
  });
  const tools = [{ name: "t", description: "d", input: {} }];
  const shape = { name: "s", schema: { type: "object" }, strict: true };
  const full = estimateChat({ messages, tools, shape }, countTokens);
  expect(full.inputTokens).toBe(6 + JSON.stringify(tools).length + JSON.stringify(shape.schema).length);
  expect(full.outputTokens).toBe(0);
});

test("a fingerprint does not depend on the order of keys, nor on what is undefined, but on everything else", () => {
  expect(fingerprint({ a: 1, b: { c: 2, d: [3, 4] } })).toBe(
    fingerprint({ b: { d: [3, 4], c: 2, e: undefined }, a: 1 }),
  );
  expect(fingerprint({ a: [1, 2] })).not.toBe(fingerprint({ a: [2, 1] }));
  expect(fingerprint("a", "b")).not.toBe(fingerprint("ab"));
});
