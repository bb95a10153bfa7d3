/** One journal, every design after every other: each finds all that was said and makes the same of it each time. */
import { expect, test } from "vitest";
import { listPresets, loadPreset } from "../../src/preset/load.ts";
import { type OpenPreset, openPreset } from "../../src/preset/open.ts";
import { rebuild } from "../../src/runtime/rebuild.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import { ALICE, BOB, journalFile, madeOf, OF_ALICE, OF_BOB, open } from "./journal.ts";

/** A walk that goes once from every one to every other: row by row, and back to where it began. */
function everyPair(count: number): number[] {
  const walk: number[] = [];
  for (let from = 0; from < count; from++) {
    for (let to = from + 1; to < count; to++) walk.push(from, to);
  }
  return walk;
}

test("every pair of designs over the same journal, there and back, loses nothing", async () => {
  // Variants are the designs they extend with one key changed.
  const names = (await listPresets()).filter((name) => !name.startsWith("variants/"));
  const presets = await Promise.all(names.map((name) => loadPreset(name)));
  const [first] = presets;
  if (first === undefined) throw new Error("there are no presets");
  const base = await open(await journalFile(), first);
  const { storage } = base;
  const opened = new Map<number, OpenPreset>();
  const made = new Map<number, string[]>();
  let before = -1;
  const seen = new Set<string>();
  for (const at of everyPair(presets.length)) {
    const preset = presets[at];
    if (preset === undefined) continue;
    const memory = opened.get(at) ?? (await openPreset(preset, { storage, embedder: hashEmbedder() }));
    opened.set(at, memory);
    await rebuild(memory, storage, ALICE);
    // Bob's journal is long enough for one look at every design.
    if (!made.has(at)) await rebuild(memory, storage, BOB);
    const world = { storage, memory, close: base.close };
    const now = [...(await madeOf(world, ALICE)), ...(await madeOf(world, BOB))];
    expect(now, `${names[at]} after ${names[before]}`).toEqual(made.get(at) ?? now);
    expect(now.length).toBeGreaterThan(0);
    made.set(at, now);
    if (before >= 0) seen.add(`${before}>${at}`);
    before = at;
  }
  expect(await storage.turns(ALICE, { limit: 100 })).toHaveLength(OF_ALICE.length);
  expect(await storage.turns(BOB, { limit: 100 })).toHaveLength(OF_BOB.length);
  for (const memory of opened.values()) await memory.close();
  await base.close();
  expect(seen.size).toBeGreaterThanOrEqual((presets.length * (presets.length - 1)) / 2);
}, 600_000);
