import fc from "fast-check";
import { expect, test } from "vitest";
import { readChat } from "./chat-request.ts";
import { spanOf } from "./json-spans.ts";
import { placeBlocks } from "./place-blocks.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom('"', "\\", '\\"', "}", "]", "你好", "\u2028", ""),
);
const content = fc.oneof(
  text,
  fc.array(
    fc.oneof(fc.record({ type: fc.constant("text"), text }), fc.record({ type: fc.constant("image_url") })),
  ),
);
const message = fc.record({
  role: fc.constantFrom("system", "developer", "assistant", "user", "tool"),
  content,
  name: text,
});
const body = fc.record({ before: fc.jsonValue(), messages: fc.array(message), after: fc.jsonValue() });

/** Written with spaces or without, as clients do. */
const written = fc
  .tuple(body, fc.constantFrom(0, 1, "\t"))
  .map(([value, space]) => JSON.stringify(value, null, space));

test("every value is found where it stands", () => {
  fc.assert(
    fc.property(written, (json) => {
      const value = JSON.parse(json);
      const slice = (path: readonly (string | number)[]): unknown => {
        const span = spanOf(json, path);
        return span === undefined ? undefined : JSON.parse(json.slice(span.start, span.end));
      };
      expect(slice(["before"])).toEqual(value.before);
      expect(slice(["after"])).toEqual(value.after);
      for (const at of value.messages.keys())
        expect(slice(["messages", at, "content"])).toEqual(value.messages[at].content);
      expect(slice(["messages", value.messages.length])).toBeUndefined();
      expect(slice(["nowhere"])).toBeUndefined();
    }),
  );
});

test("what is put in stands at the end of the instructions and before the question, and nothing else changes", () => {
  const [stable, volatile] = ['<S>记忆\n"1"</S>', "<V>\\2</V>"];
  const part = (words: string) => ({ type: "text", text: words });
  type Content = string | object[];
  const behind = (said: Content): Content => {
    if (typeof said !== "string") return [...said, part(stable)];
    return said === "" ? stable : `${said}\n\n${stable}`;
  };
  const before = (said: Content): Content =>
    typeof said === "string" ? `${volatile}\n\n${said}` : [part(volatile), ...said];
  fc.assert(
    fc.property(written, (json) => {
      const chat = readChat(Buffer.from(json));
      if (chat === undefined || chat.question === "") return;
      expect(placeBlocks(chat, { stable: "", volatile: "" })).toBe(json);
      const expected: { messages: { role: string; content: Content }[] } = JSON.parse(json);
      const { messages } = expected;
      const asked = messages.findLast(({ role }) => role === "user");
      if (asked !== undefined) asked.content = before(asked.content);
      const system = messages.find(({ role }) => role === "system" || role === "developer");
      if (system === undefined) messages.unshift({ role: "system", content: stable });
      else system.content = behind(system.content);
      expect(JSON.parse(placeBlocks(chat, { stable, volatile }))).toEqual(expected);
    }),
  );
});

test("of doubled keys the last is meant, as JSON.parse means it", () => {
  const json = '{"a":1, "a" : {"b":[1,"]",{"c":"}"}]} }';
  const span = spanOf(json, ["a", "b", 2, "c"]);
  expect(json.slice(span?.start, span?.end)).toBe('"}"');
});
