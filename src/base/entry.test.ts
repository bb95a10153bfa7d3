import { describe, expect, test } from "vitest";
import { checkFields, type EntryStamp, makeEntry, type NewEntry } from "./entry.ts";
import { MemoryError } from "./errors.ts";
import { createIds } from "./ids.ts";
import { PUBLIC } from "./scope.ts";

const ids = createIds();
const stamp: EntryStamp = {
  id: ids.entry(),
  collection: "notes",
  scope: PUBLIC,
  now: 1_700_000_000_000,
  contentHash: "0".repeat(64),
};

function codeOf(fields: unknown): string {
  try {
    makeEntry(fields as NewEntry, stamp);
  } catch (error) {
    if (MemoryError.is(error)) return error.code;
    throw error;
  }
  return "accepted";
}

describe("making an entry", () => {
  test("[C-1] from content alone: everything else has a plain beginning, and nothing computed is stored", () => {
    const entry = makeEntry({ content: "喜欢喝茶" }, stamp);
    expect(entry).toEqual({
      ...{ id: stamp.id, collection: "notes", scope: PUBLIC, kind: "memory", content: "喜欢喝茶" },
      ...{ rationale: "", tags: [], metadata: {}, sources: [], supersededBy: null },
      ...{
        happenedAt: stamp.now,
        recordedAt: stamp.now,
        updatedAt: stamp.now,
        contentHash: stamp.contentHash,
      },
      ...{ createdAt: stamp.now, lastAccessAt: stamp.now, accessCount: 0, usefulCount: 0, importance: null },
      ...{ strength: 0, pinned: false, energyAnchor: null, tier: null },
    });
  });

  test("[C-21] times are whole epoch milliseconds: when it happened is the caller's, when we learned it is ours", () => {
    const entry = makeEntry({ content: "a", happenedAt: -1000 }, stamp);
    expect([entry.happenedAt, entry.recordedAt]).toEqual([-1000, stamp.now]);
    expect(codeOf({ content: "a", happenedAt: 0.5 })).toBe("input_invalid");
    expect(codeOf({ content: "a", happenedAt: "2025-01-01" })).toBe("input_invalid");
  });

  test("given fields are kept; tags are a set", () => {
    const fields = {
      ...{
        content: "a",
        kind: "event",
        rationale: "said so",
        tags: ["b", "a", "b"],
        metadata: { n: [1, "二"] },
      },
      ...{ sources: ["t1"], supersededBy: ids.entry(), accessCount: 3, usefulCount: 1, importance: 0.5 },
      ...{ strength: -2, pinned: true, energyAnchor: { value: 0.7, at: 5 }, tier: "stm", lastAccessAt: 9 },
    };
    expect(makeEntry(fields, stamp)).toMatchObject({ ...fields, tags: ["a", "b"] });
  });

  test.each([
    ["no content", {}, "text_invalid"],
    ["blank content", { content: " \n" }, "text_invalid"],
    ["content that is no text", { content: 7 }, "input_invalid"],
    ["content of 10 MB", { content: "x".repeat(10_000_000) }, "text_too_large"],
    ["a NUL in the rationale", { content: "a", rationale: "\0" }, "text_invalid"],
    ["half a surrogate pair in the metadata", { content: "a", metadata: { k: ["\ud800"] } }, "text_invalid"],
    ["metadata that is no JSON", { content: "a", metadata: { k: undefined } }, "input_invalid"],
    ["an unknown field", { content: "a", colour: "red" }, "input_invalid"],
    ["a field that is ours to set", { content: "a", recordedAt: 1 }, "input_invalid"],
    ["an empty kind", { content: "a", kind: "" }, "input_invalid"],
    ["a blank tag", { content: "a", tags: [" "] }, "text_invalid"],
    ["importance beyond 1", { content: "a", importance: 1.5 }, "input_invalid"],
    ["a negative count", { content: "a", accessCount: -1 }, "input_invalid"],
    ["half a strength", { content: "a", strength: 0.5 }, "input_invalid"],
    ["a successor that is no id", { content: "a", supersededBy: "the other one" }, "input_invalid"],
    ["a loose energy anchor", { content: "a", energyAnchor: { value: 1 } }, "input_invalid"],
  ])("%s is refused", (_, fields, code) => {
    expect(codeOf(fields)).toBe(code);
  });
});

test("a change is checked by the same rules, and holds only what was given", () => {
  expect(checkFields({ tags: ["b", "a", "b"], tier: null })).toEqual({ tags: ["a", "b"], tier: null });
  expect(checkFields({})).toEqual({});
  expect(() => checkFields({ content: "" })).toThrowError(MemoryError);
});
