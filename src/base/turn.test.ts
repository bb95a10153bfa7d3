import { describe, expect, test } from "vitest";
import { MemoryError } from "./errors.ts";
import { createIds } from "./ids.ts";
import { PUBLIC } from "./scope.ts";
import { makeTurn, type NewTurn, ROLES } from "./turn.ts";

const stamp = { id: createIds().turn(), scope: PUBLIC, recordedAt: 1_700_000_000_000 };

describe("making a turn", () => {
  test("from text alone", () => {
    expect(makeTurn({ text: "我搬到柏林了" }, stamp)).toEqual({
      ...stamp,
      ...{ session: "", speaker: "", role: "user", text: "我搬到柏林了", captions: [] },
      ...{ happenedAt: stamp.recordedAt, zone: null, metadata: {} },
    });
  });

  test("[C-21] with all its fields, in the speaker's own time and zone", () => {
    const turn = {
      ...{
        text: "hi",
        session: "s1",
        speaker: "Melanie",
        role: "assistant" as const,
        captions: ["a red bicycle"],
      },
      ...{ happenedAt: 5, zone: "Asia/Shanghai", metadata: { page: 3 } },
    };
    expect(makeTurn(turn, stamp)).toEqual({ ...turn, ...stamp });
    for (const role of ROLES) expect(makeTurn({ text: "x", role }, stamp).role).toBe(role);
  });

  test.each([
    ["no text", {}, "input_invalid"],
    ["blank text", { text: "  " }, "text_invalid"],
    ["a control character", { text: "a\u0001" }, "text_invalid"],
    ["an unknown role", { text: "a", role: "robot" }, "input_invalid"],
    ["an unknown field", { text: "a", mood: "fine" }, "input_invalid"],
    ["half a surrogate pair in a caption", { text: "a", captions: ["\ud83d"] }, "text_invalid"],
    ["a NUL in the zone", { text: "a", zone: "\0" }, "text_invalid"],
    ["a NUL in the metadata", { text: "a", metadata: { a: "\0" } }, "text_invalid"],
    ["a time that is no number", { text: "a", happenedAt: "now" }, "input_invalid"],
  ])("%s is refused", (_, turn, code) => {
    const make = () => makeTurn(turn as NewTurn, stamp);
    expect(make).toThrowError(MemoryError);
    expect(make).toThrowError(expect.objectContaining({ code }));
  });
});
