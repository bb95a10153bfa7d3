import { afterEach, beforeEach, expect, test } from "vitest";
import { makeEdge } from "../../base/edge.ts";
import { makeTurn } from "../../base/turn.ts";
import { openInMemory } from "../../storage/memory.ts";
import type { Write } from "../../storage/storage.ts";
import { ALICE, CAUSE, StorageWorld } from "../../testing/storage-world.ts";
import { turnSources } from "../turn-sources.ts";
import { cut } from "./cut.ts";
import { rewind } from "./rewind.ts";
import { eventsSince } from "./since.ts";
import { readStates, type States } from "./states.ts";

const world = new StorageWorld({ name: "memory", create: (clock) => openInMemory({ clock }) });
beforeEach(() => world.start());
afterEach(() => world.stop());

const insert = world.insert.bind(world, ALICE);
const commit = (...writes: Write[]) => world.storage.commit(ALICE, writes, CAUSE);
const read = () => readStates(world.storage, ALICE, "notes");
/** In no order, and without the moment of the last change, which the log does not keep. */
const plain = ({ entries, edges }: States) => ({
  entries: new Map(
    [...entries].map(([id, state]) => [id, { ...state, entry: { ...state.entry, updatedAt: 0 } }]),
  ),
  edges,
});

test("the log leads back to every moment, with the links of what was removed since", async () => {
  const [tea, cha] = [await insert({ content: "tea" }), await insert({ content: "茶" })];
  const link: Write = {
    op: "edge-put",
    edge: makeEdge({ from: tea.id, to: cha.id, type: "causal", weight: 1 }, ALICE, 0),
  };
  const seen: { readonly at: number; readonly states: States }[] = [];
  const steps: Write[][] = [
    [link],
    [{ op: "vector-put", id: tea.id, vector: { space: "s", values: Float32Array.of(1, 2) } }],
    [{ op: "entry-update", id: tea.id, fields: { content: "green tea", supersededBy: cha.id } }],
    [{ op: "entry-touch", id: cha.id, touch: { addAccess: 1 } }],
    [{ op: "entry-remove", id: tea.id }],
    [{ op: "entry-remove", id: cha.id }],
  ];
  for (const step of steps) {
    seen.push({ at: world.clock.now(), states: await read() });
    world.clock.advance(1000);
    await commit(...step);
  }
  expect((await read()).entries.size).toBe(0);
  for (const { at, states } of seen) {
    const now = await read();
    rewind(now, await eventsSince(world.storage, ALICE, "notes", at));
    expect(plain(now)).toEqual(plain(states));
  }
});

test("as of a moment in the world, what replaced a memory later gives way to what had replaced it by then", async () => {
  const old = await insert({ content: "lives in Rome", happenedAt: 1 });
  const later = await insert({ content: "lives in Oslo", happenedAt: 9 });
  const corrected = await insert({ content: "住在成都", happenedAt: 5 });
  await commit({ op: "entry-update", id: old.id, fields: { supersededBy: later.id } });
  await commit({ op: "entry-update", id: later.id, fields: { supersededBy: corrected.id } });
  const standing = async (at: number) => {
    const states = await read();
    cut(states, at);
    return [...states.entries.values()].map(({ entry }) => [entry.content, entry.supersededBy]);
  };
  expect(await standing(1)).toEqual([["lives in Rome", null]]);
  expect(await standing(5)).toEqual([
    ["lives in Rome", corrected.id],
    ["住在成都", null],
  ]);
});

test("what an insight comes from is followed to the turns, also in a circle", async () => {
  const turn = makeTurn(
    { speaker: "Mia", text: "我喜欢绿茶。" },
    { id: world.ids.turn(), scope: ALICE, recordedAt: world.clock.now() },
  );
  await commit({ op: "turn-append", turn });
  const fact = await insert({ content: "likes tea", sources: [turn.id] });
  const insight = await insert({ content: "loves Asia", sources: [fact.id] });
  await commit({ op: "entry-update", id: fact.id, fields: { sources: [turn.id, insight.id] } });
  const [found] = await turnSources(world.storage, ALICE, [insight]);
  expect(found?.map(({ text }) => text)).toEqual(["我喜欢绿茶。"]);
});
