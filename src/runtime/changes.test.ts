/** What has changed, in small steps and in large ones: the same, and no more of the log is read than is asked for. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import { Memory } from "./memory.ts";

let folder: string;
let memory: Memory;
/** How many events were asked for, every time. */
let asked: number[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-changes-"));
  asked = [];
  const storage = await openSqlite(join(folder, "memory.db"));
  const watched: typeof storage = {
    ...storage,
    events(scope, query) {
      asked.push(query.limit);
      return storage.events(scope, query);
    },
  };
  memory = await Memory.open({ storage: watched, preset: "bm25", scope: "mia" });
});
afterEach(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

async function inSteps(limit: number): Promise<number[]> {
  const seen: number[] = [];
  for (let after = 0; ; ) {
    const { events, next } = await memory.changes({ after, limit });
    expect(events.length).toBeLessThanOrEqual(limit);
    seen.push(...events.map(({ seq }) => seq));
    if (events.length < limit) return seen;
    after = next;
  }
}

test("steps of any size give the same, past any number of looks", async () => {
  await memory.remember(["I moved to Rome. 我搬到罗马了。", "I like pears. 我喜欢梨。"]);
  for (let look = 0; look < 12; look++) await memory.recall("Who moved to Rome? 谁搬到罗马了？");
  await memory.remember("I moved to Oslo. 我搬到奥斯陆了。");
  const all = await inSteps(1000);
  const [first = 0] = all;
  const log = await memory.running().storage.events(memory.scope, { after: first - 1, limit: 1000 });
  expect(log.length).toBeGreaterThan(all.length);
  for (const limit of [1, 2, 5]) expect(await inSteps(limit)).toEqual(all);
});

test("one that is asked for is one that is read", async () => {
  await memory.remember(Array.from({ length: 20 }, (_, note) => `Note ${note}. 第${note}条。`));
  const { events } = await memory.changes();
  const before = (events[3]?.seq ?? 0) - 1;
  asked = [];
  await memory.changes({ after: before, limit: 1 });
  expect(asked).toEqual([1]);
});
