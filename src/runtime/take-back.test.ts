import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { parseScope } from "../base/scope.ts";
import { appendTurns } from "../pipeline/journal.ts";
import { loadPreset } from "../preset/load.ts";
import { type OpenPreset, openPreset } from "../preset/open.ts";
import type { EntryState } from "../storage/entry-state.ts";
import { openInMemory } from "../storage/memory.ts";
import type { Storage } from "../storage/storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { derive } from "./derive.ts";
import { takeBack } from "./take-back.ts";

const MIA = parseScope("mia");
const START = Date.UTC(2026, 4, 1, 9);
const clock = manualClock(START);
const storages: Storage[] = [];
afterEach(async () => {
  for (const one of storages.splice(0)) await one.close();
  clock.set(START);
});

const FIRST = [
  "I live in Lisbon, in the old town.",
  "My sister Clara is a vet in Porto.",
  "我喜欢在周末喝绿茶。",
];
const SECOND = [
  "I moved, I live in Porto now.",
  "我现在不喝绿茶了，我喜欢咖啡。",
  "Clara plays the violin.",
  "Important: the concert of Clara costs 45 euros.",
];

interface World {
  readonly storage: Storage;
  readonly design: OpenPreset;
  /** The design's commits fail after so many more. */
  failAfter(commits: number): void;
  say(texts: readonly string[]): Promise<void>;
  take(): Promise<string>;
  /** How everything stood when the window began that was worked on last. */
  begun(): readonly EntryState[];
  /** Everything that there is, without the moment of the last change. */
  whole(): Promise<EntryState[]>;
}

async function open(preset: string): Promise<World> {
  const storage = await openInMemory({ clock });
  storages.push(storage);
  let left = Number.POSITIVE_INFINITY;
  const failing: Storage = {
    ...storage,
    async commit(...given) {
      if (left-- <= 0) throw new Error("the power went");
      return storage.commit(...given);
    },
  };
  let begun: EntryState[] = [];
  const whole = async (): Promise<EntryState[]> => {
    const { collection } = design.service;
    const states = await storage.states(MIA, { collection, limit: 1000 });
    return states.map((state) => ({ ...state, entry: { ...state.entry, updatedAt: 0 } }));
  };
  const watched: Storage = {
    ...storage,
    async commit(...given) {
      const isBegin = given[1].some(
        (write) => write.op === "cursor-put" && write.name.startsWith("derive-begun/"),
      );
      if (isBegin) begun = await whole();
      return storage.commit(...given);
    },
  };
  const design = await openPreset(await loadPreset(preset), {
    storage: failing,
    embedder: hashEmbedder(),
    clock,
  });
  return {
    storage,
    design,
    failAfter(commits) {
      left = commits;
    },
    async say(texts) {
      const turns = texts.map((text) => ({ speaker: "Mia", text, session: String(clock.now()) }));
      await appendTurns(storage, MIA, turns, clock);
    },
    take: () =>
      derive(design, watched, MIA, { finish: true }).then(
        () => "done",
        (error: Error) => error.message,
      ),
    begun: () => begun,
    whole,
  };
}

describe.each(["neuromem", "hybrid", "mem0", "biem", "hipporag", "memory_os", "memgpt", "a_mem", "mem0g"])(
  "%s",
  (preset) => {
    test("a window that ends anywhere is taken back exactly, and done again it is as if nothing had been", async () => {
      const undisturbed = await open(preset);
      const contents = async (world: World) =>
        (await world.whole())
          .map(({ entry, places, edges, vectors }) => [
            entry.content,
            entry.kind,
            entry.tier,
            entry.supersededBy === null,
            places.length,
            edges.length,
            vectors.length,
          ])
          .map((one) => JSON.stringify(one))
          .sort();
      await undisturbed.say(FIRST);
      await undisturbed.take();
      clock.advance(3_600_000);
      await undisturbed.say(SECOND);
      await undisturbed.take();
      clock.set(START);

      const world = await open(preset);
      await world.say(FIRST);
      expect(await world.take()).toBe("done");
      clock.advance(3_600_000);
      await world.say(SECOND);
      let tried = 0;
      for (let commits = 0; ; commits++) {
        world.failAfter(commits);
        if ((await world.take()) === "done") break;
        tried++;
        world.failAfter(Number.POSITIVE_INFINITY);
        await takeBack(world.design, world.storage, MIA);
        expect(await world.whole()).toEqual(world.begun());
      }
      expect(tried).toBeGreaterThan(1);
      expect(await contents(world)).toEqual(await contents(undisturbed));
    });
  },
);

test("what others did meanwhile stays: looks, judgements, and changes by another hand", async () => {
  const world = await open("mem0");
  await world.say(FIRST);
  await world.take();
  clock.advance(3_600_000);
  await world.say(SECOND);
  world.failAfter(1);
  expect(await world.take()).toBe("the power went");
  world.failAfter(Number.POSITIVE_INFINITY);
  const before = world.begun();
  expect((await world.whole()).length).toBeGreaterThan(before.length);
  const { hits } = await world.design.retrieve(MIA, { text: "Lisbon Clara 绿茶", topK: 9 });
  const old = hits.filter(({ id }) => before.some(({ entry }) => entry.id === id));
  await world.design.service.feedback(MIA, old, 1);
  const [changed] = old;
  if (changed === undefined) throw new Error("nothing was found");
  await world.storage.commit(
    MIA,
    [{ op: "entry-update", id: changed.id, fields: { tags: ["mine", "我的"] } }],
    { actor: "runtime", cause: "another verb" },
  );
  await takeBack(world.design, world.storage, MIA);
  const after = await world.whole();
  expect(after.map(({ entry }) => entry.id)).toEqual(before.map(({ entry }) => entry.id));
  const entryOf = (id: string) => after.find(({ entry }) => entry.id === id)?.entry;
  for (const { id, accessCount } of old)
    expect(entryOf(id)).toMatchObject({ accessCount: accessCount + 1, usefulCount: 1 });
  expect(entryOf(changed.id)?.tags).toEqual(["mine", "我的"]);
});
