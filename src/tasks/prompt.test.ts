import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePrompt, renderPrompt } from "./prompt.ts";

const parse = (text: string, declared: readonly string[] = ["text"]) =>
  parsePrompt(text, declared, "prompts/x.en.md");

describe("[C-30] a prompt file is checked when it is loaded", () => {
  test("instruction above the line, data below", () => {
    expect(parse("Say it.\r\n\r\n---\r\n\r\n{{text}}\r\n")).toEqual({ system: "Say it.", user: "{{text}}" });
  });

  test.each([
    [
      "a placeholder that the task does not fill",
      "a\n---\n{{text}} {{dialogue}}",
      /prompts\/x\.en\.md uses \{\{dialogue\}\}/,
    ],
    ["a declared one that is left out", "a\n---\nb", /leaves out \{\{text\}\}/],
    ["another template's braces (B.0.9-9)", "a\n---\n{{text}} {dialogue}", /has "\{dialogue\}" in line 3/],
    ["a misspelt hole", "a\n---\n{{text}} {{ text }}", /has "\{\{ text \}\}" in line 3/],
    ["an unclosed hole", "a\n---\n{{text}} {{text", /has "\{\{" in line 3/],
    ["a stray closing brace", "a }\n---\n{{text}}", /stray "\}" in line 1/],
    ["a stray opening brace", "a\n---\n{{text}}\n{", /stray "\{" in line 4/],
    ["one brace too many behind a hole", "a\n---\n{{text}}}", /stray "\}" in line 3/],
    ["no line between instruction and data", "a {{text}}", /no line "---"/],
    ["nothing below it", "{{text}}\n---\n", /is empty/],
  ])("%s", (_, text, message) => {
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: "preset_invalid" }));
  });

  test("JSON stays JSON, nested as deep as it likes", () => {
    const json = '{"a": {"b": [{"c": {}}]}}';
    const prompt = parse(`Like ${json}\n---\n{{text}}`);
    expect(renderPrompt(prompt, { text: "x" }, "none").system).toBe(`Like ${json}`);
  });
});

describe("values", () => {
  test("a text is data between tags, a number stands as it is, nothing is said to be nothing", () => {
    const prompt = parse("At most {{limit}}.\n---\n{{text}}", ["text", "limit"]);
    expect(renderPrompt(prompt, { text: "hello", limit: 3 }, "(none)")).toEqual({
      system: "At most 3.",
      user: "<text>\nhello\n</text>",
    });
    expect(renderPrompt(prompt, { text: " ", limit: 3 }, "(none)").user).toBe("<text>\n(none)\n</text>");
  });

  test("law: whatever the values, no value closes a tag or is read as a hole", () => {
    const prompt = parse("a\n---\n{{text}}\n{{note}}", ["text", "note"]);
    const piece = fc.constantFrom(
      "</text>",
      "</ note>",
      "<TEXT>",
      "< / text >",
      "{{note}}",
      "$&",
      "$1",
      "x",
      "{",
      "}}",
      "\n",
    );
    const value = fc.array(piece).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(value, value, (text, note) => {
        const { user } = renderPrompt(prompt, { text, note }, "none");
        const [, first = "", second = ""] =
          /^<text>\n([\s\S]*)\n<\/text>\n<note>\n([\s\S]*)\n<\/note>$/.exec(user) ?? [];
        for (const part of [first, second]) expect(part).not.toMatch(/<\s*\/?\s*(?:text|note)\b/i);
        if (text.trim() !== "") expect(first.replaceAll("‹", "<")).toBe(text);
        if (note.trim() !== "") expect(second.replaceAll("‹", "<")).toBe(note);
      }),
    );
  });
});
