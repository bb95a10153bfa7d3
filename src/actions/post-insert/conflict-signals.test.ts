import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { parseScope } from "../../base/scope.ts";
import {
  openPostInsertWorld,
  type PostInsertSetup,
  type PostInsertWorld,
} from "../../testing/post-insert-world.ts";
import { conflictSignals } from "./conflict-signals.ts";

const ENERGY = {
  policy: "biem_energy",
  initial_energy: 0.5,
  decay_per_hour: 0.1,
  access_boost: 0.1,
  feedback_boost: 0.1,
};
const OPTIONS: JsonObject = {
  search: "semantic",
  topk: 10,
  detectors: ["attribute_key", "similarity", "polarity", "llm_verify"],
  similarity_threshold: 0.8,
  require_attribute_key: false,
  min_confidence: 0.7,
  prompt: "detect_conflict",
  vitality: ENERGY,
  restructure_below: 0.3,
  restructure_confidence: 0.8,
  ignore_below: 0.5,
};
const ALICE = parseScope("alice");
const worlds: PostInsertWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function outcome(
  said: readonly string[],
  options: JsonObject = {},
  setup: Partial<PostInsertSetup> = {},
  hours = 0,
) {
  const post = [{ action: conflictSignals, options: { ...OPTIONS, ...options } }];
  const world = await openPostInsertWorld({ ...setup, post });
  worlds.push(world);
  for (const text of said) {
    await world.say([text]);
    world.clock.advance(hours * 3_600_000);
  }
  const waiting = (await world.service.getStatus(ALICE)).pendingItems;
  return { current: await world.current(), kept: (await world.all()).length, waiting, world };
}

const CITY = ["Ada's city is Rome.", "Ada's city is Oslo."];
const 城市 = ["小明住在上海。", "小明现在住在北京。"];

test.each([CITY, 城市])(
  "[B.4][C-11] a certain clash restructures: the old one is superseded and kept",
  async (...said) => {
    const { current, kept, waiting } = await outcome(said);
    expect([current, kept, waiting]).toEqual([[said[1]], 2, []]);
  },
);

test.each([CITY, 城市])(
  "[B.4] restructure_confidence null: both stay, and the question waits with its evidence",
  async (...said) => {
    const { current, waiting, world } = await outcome(said, { restructure_confidence: null });
    expect(current).toEqual(said);
    const [old, fresh] = await world.all();
    expect(waiting).toMatchObject([{ action: "crud", entry: fresh?.id }]);
    const [signal] = (waiting[0]?.details.signals ?? []) as JsonObject[];
    expect(signal).toMatchObject({ entry: old?.id, action: "confirm", priority: 0.7, kind: "update" });
    expect(signal?.evidence).not.toEqual([]);
  },
);

test("[B.4] restructure_below and vitality: what is cold gives way all the same", async () => {
  const asking = { restructure_confidence: null };
  expect((await outcome(CITY, asking, {}, 12)).current).toEqual([CITY[1]]);
  expect((await outcome(CITY, { ...asking, restructure_below: 0.1 }, {}, 12)).current).toEqual(CITY);
  const lasting = { ...ENERGY, decay_per_hour: 0 };
  expect((await outcome(CITY, { ...asking, vitality: lasting }, {}, 12)).current).toEqual(CITY);
});

test("[B.4] ignore_below: a signal of little weight is let be", async () => {
  const { current, waiting } = await outcome(CITY, { ignore_below: 0.8 });
  expect([current, waiting]).toEqual([CITY, []]);
});

test("what is only said again is not kept twice in recall", async () => {
  const { current, kept } = await outcome([CITY[0] ?? "", CITY[0] ?? ""]);
  expect([current, kept]).toEqual([[CITY[0]], 2]);
});
