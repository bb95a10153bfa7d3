/**
 * The memory as it was. All that the scope sees is copied beside the memory, taken back by the log of events (`knownAt`) or
 * cut by when things happened (`at`), and the same design is opened over the copy: so it answers by exactly the same steps.
 * The copy is frozen: a question about the past changes nothing, neither in it nor in the memory.
 */
import { createLru, type Lru } from "../../base/lru.ts";
import { PUBLIC, type Scope, visibleScopes } from "../../base/scope.ts";
import { type OpenPreset, openPreset } from "../../preset/open.ts";
import { openInMemory } from "../../storage/memory.ts";
import type { Storage, Write } from "../../storage/storage.ts";
import type { Running } from "../running.ts";
import { cut } from "./cut.ts";
import { rewind } from "./rewind.ts";
import { eventsSince, hasErasure } from "./since.ts";
import { readStates, type States } from "./states.ts";

export interface Moment {
  /** In the world. */
  readonly at?: number | undefined;
  /** By the memory's own clock. */
  readonly knownAt?: number | undefined;
}

/** So many copies are kept for the next question. */
const KEPT = 2;
/** After so long nobody writes about a moment any more, whoever's clock is a little behind. */
const SETTLED_MS = 60_000;
const CAUSE = { actor: "runtime", cause: "past" } as const;

/** The design over its copy. */
export interface Past extends OpenPreset {
  readonly storage: Storage;
}

interface Copy {
  readonly design: Promise<Past>;
  /** The newest event it is known to agree with. */
  seq: number;
}

const copies = new WeakMap<Running, Lru<string, Copy>>();

/**
 * A second question about the same moment finds the copy made. How the memory stood long ago is changed by an erasure alone;
 * any other copy holds until something changes.
 */
export async function pastOf(running: Running, scope: Scope, moment: Moment): Promise<Past> {
  const { storage, clock } = running;
  const { at = null, knownAt = null } = moment;
  const { seq, registry } = await storage.feed.head();
  const isSettled = knownAt !== null && knownAt < clock.now() - SETTLED_MS;
  const kept = copies.get(running) ?? createLru<string, Copy>(KEPT);
  copies.set(running, kept);
  const key = JSON.stringify([scope, at, knownAt, registry, isSettled ? null : seq]);
  const copy = kept.get(key, () => ({ design: openPast(running, scope, moment), seq }));
  if (copy.seq < seq && (await hasErasure(storage, scope, copy.seq))) {
    kept.clear();
    return pastOf(running, scope, moment);
  }
  copy.seq = Math.max(copy.seq, seq);
  // What failed once is tried again.
  copy.design.catch(() => kept.clear());
  return copy.design;
}

async function openPast(running: Running, scope: Scope, { at, knownAt }: Moment): Promise<Past> {
  const { storage, design, options, trace } = running;
  const { collection } = design.service;
  const states = await readStates(storage, scope, collection);
  if (knownAt !== undefined) rewind(states, await eventsSince(storage, scope, collection, knownAt));
  if (at !== undefined) cut(states, at);
  const clock = knownAt === undefined ? running.clock : { now: () => knownAt };
  const copy = await openInMemory({ clock });
  await fill(copy, scope, states, await copyRegistry(storage, copy, collection));
  const { reranker, env } = options;
  const { model } = design.thinking;
  const { embedder, preset } = design;
  const past = frozen(copy);
  const opened = await openPreset(preset, { storage: past, model, embedder, reranker, env, clock, trace });
  return { ...opened, storage: past };
}

/** The collection with its indexes; gives their numbers in the copy. */
async function copyRegistry(
  storage: Storage,
  copy: Storage,
  collection: string,
): Promise<ReadonlyMap<number, number>> {
  const record = (await storage.collections()).find(({ name }) => name === collection);
  if (record === undefined) return new Map();
  const made = await copy.putCollection(
    collection,
    record.profile,
    record.indexes.map(({ name, kind, options }) => ({ name, kind, options })),
  );
  return new Map(record.indexes.map(({ number }, place) => [number, made.indexes[place]?.number ?? 0]));
}

async function fill(
  copy: Storage,
  scope: Scope,
  { entries, edges }: States,
  numbers: ReadonlyMap<number, number>,
): Promise<void> {
  const restores = Map.groupBy(entries.values(), ({ entry }) => entry.scope);
  const links = Map.groupBy(
    [...edges.values()].filter(({ from, to }) => entries.has(from) && entries.has(to)),
    (edge) => edge.scope,
  );
  // What is public first: others' links lead to it.
  for (const owner of [...visibleScopes(scope)].sort((a) => (a === PUBLIC ? -1 : 1))) {
    const writes: Write[] = [
      ...(restores.get(owner) ?? []).map(
        ({ entry, vectors, places }): Write => ({
          op: "entry-restore",
          entry,
          vectors: Array.from(vectors, ([space, values]) => ({ space, values })),
          places: Array.from(places, ([index, position]) => ({ index: numbers.get(index) ?? 0, position })),
        }),
      ),
      ...(links.get(owner) ?? []).map((edge): Write => ({ op: "edge-put", edge })),
    ];
    if (writes.length > 0) await copy.commit(owner, writes, CAUSE);
  }
}

/** Who asks about the past is not heard there. */
function frozen(copy: Storage): Storage {
  return {
    ...copy,
    async commit() {
      const { seq } = await copy.feed.head();
      return { previous: seq, seq, turns: [] };
    },
  };
}
