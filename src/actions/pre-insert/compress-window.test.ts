import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import type { SeenRequest } from "../../testing/model-server.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld, type PreInsertSetup } from "../../testing/pre-insert-world.ts";
import { compressWindow } from "./compress-window.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(more: JsonObject = {}, setup: Partial<PreInsertSetup> = {}) {
  const options = {
    window_size: 40,
    overlap: 2,
    compress_prompt: "compress_dialogue",
    previous_entries: 3,
    parallel_windows: 1,
    ...more,
  };
  const world = await openPreInsertWorld({ pre: [chosen(compressWindow, options)], ...setup });
  closing.push(world.close);
  return world;
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    text: `Line number ${i} here`,
    speaker: i % 2 ? "Ben" : "Ada",
  }));
/** The numbers of the lines that a request shows. */
const linesIn = ({ body }: SeenRequest): number[] =>
  [...JSON.stringify(body.messages).matchAll(/Line number (\d+) here/g)].map(([, number]) => Number(number));
const entry = (text: string, sources: readonly number[], more: JsonObject = {}) => ({
  lossless_restatement: text,
  keywords: [],
  timestamp: null,
  location: null,
  persons: [],
  entities: [],
  topic: null,
  sources,
  ...more,
});

describe("compress_window", () => {
  test("[S2-3][S2-9] entries with all fields; the timestamp is when it happened, the sources the turns", async () => {
    const more = {
      keywords: ["move"],
      timestamp: "2026-03-01",
      location: "Rome",
      persons: ["Ada"],
      entities: ["Rome"],
      topic: "moving",
    };
    const world = await open(
      {},
      { chat: JSON.stringify({ entries: [entry("Ada moved to Rome.", [0], more)] }) },
    );
    const { entries, drafts } = await world.keep([
      { text: "I moved there in March", speaker: "Ada", zone: "Asia/Shanghai", session: "one" },
      { text: "Nice", speaker: "Ben", session: "one" },
    ]);
    expect(entries).toMatchObject([
      {
        content: "Ada moved to Rome.",
        happenedAt: Date.UTC(2026, 1, 28, 16),
        sources: [drafts[0]?.turns[0]?.id],
        metadata: { ...more, session: "one" },
      },
    ]);
    expect(drafts[0]?.turns).toHaveLength(1);
  });

  test("[S2-18][papers 14] 100 lines are three windows, from 0, 38 and 76", async () => {
    const seen: number[][] = [];
    const world = await open(
      {},
      {
        chat: (request) => {
          seen.push(linesIn(request));
          return JSON.stringify({ entries: [] });
        },
      },
    );
    const { notes } = await world.keep(numbered(100));
    expect(seen.map((lines) => [lines[0], lines.length])).toEqual([
      [0, 40],
      [38, 40],
      [76, 24],
    ]);
    expect(notes.windows).toBe(3);
  });

  test("window_size and overlap: no window holds only lines that were read before", async () => {
    const windows = async (more: JsonObject, count: number) =>
      (await (await open(more)).keep(numbered(count))).notes.windows;
    expect(await windows({}, 78)).toBe(2);
    expect(await windows({}, 79)).toBe(3);
    expect(await windows({ window_size: 10, overlap: 0 }, 30)).toBe(3);
    expect(await windows({ window_size: 10, overlap: 5 }, 30)).toBe(5);
    expect(compressWindow.options.safeParse({ window_size: 2, overlap: 2 }).success).toBe(false);
  });

  test("a field that the model leaves empty leaves the speakers known", async () => {
    const world = await open({}, { chat: JSON.stringify({ entries: [entry("Ada moved to Rome.", [0])] }) });
    const { entries } = await world.keep([{ text: "I moved to Rome", speaker: "Ada" }]);
    expect(entries[0]?.metadata).toEqual({ persons: ["Ada"], speaker: "Ada" });
  });

  test("what only the overlap says is not kept twice; results are in order however they finish", async () => {
    const chat = (request: SeenRequest) => {
      const lines = linesIn(request);
      const entries = lines.map((number, i) => entry(`Said: ${number}`, [i]));
      // The same memory in other words, from an overlap line.
      if ((lines[0] ?? 0) > 0) entries.push(entry("Again", [0]));
      return { text: JSON.stringify({ entries }) };
    };
    for (const parallel_windows of [1, 4]) {
      const world = await open({ window_size: 4, overlap: 1, parallel_windows }, { chat });
      const { entries } = await world.keep(numbered(10));
      expect(entries.map(({ content }) => content)).toEqual(numbered(10).map((_, i) => `Said: ${i}`));
    }
  });

  test("previous_entries are shown to the next window, but not to one that is worked on at once", async () => {
    const chat = (request: SeenRequest) =>
      JSON.stringify({ entries: linesIn(request).map((number, i) => entry(`Said: ${number}`, [i])) });
    const asked = async (more: JsonObject) => {
      const world = await open({ window_size: 4, overlap: 0, ...more }, { chat });
      await world.keep(numbered(8));
      return world.asked();
    };
    expect(await asked({ previous_entries: 2 })).toMatch(/Said: 0\\n- Said: 1/);
    expect(await asked({ previous_entries: 2 })).not.toContain("Said: 2");
    expect(await asked({ previous_entries: 0 })).not.toContain("Said:");
    expect(await asked({ parallel_windows: 2 })).not.toContain("Said:");
  });

  test.each(["turn", "packet"] as const)(
    "without a model, in both languages, from drafts per %s; small talk leaves nothing",
    async (unit) => {
      const world = await open({}, { input: { unit, with_speaker: true } });
      const { entries } = await world.keep([
        { text: "I moved to Rome yesterday.", speaker: "Ada", happenedAt: Date.UTC(2026, 2, 2, 9) },
        { text: "Hi!", speaker: "Ben", happenedAt: Date.UTC(2026, 2, 2, 9) },
      ]);
      expect(entries).toMatchObject([{ content: expect.stringMatching(/Ada moved to Rome/) }]);
      expect(new Date(entries[0]?.happenedAt ?? 0).toISOString()).toMatch(/^2026-03-01/);
      const zh = await world.keep([
        { text: "我昨天搬到了上海。", speaker: "小美", happenedAt: Date.UTC(2026, 2, 2, 9) },
      ]);
      expect(zh.entries).toMatchObject([{ content: expect.stringMatching(/小美.*上海/) }]);
    },
  );
});
