/** From what a caller hands in to the writes of one transaction: the turn it came from, the entry, its vectors, edges. */
import { hash } from "node:crypto";
import { makeEdge, type NewEdge } from "../base/edge.ts";
import { type Entry, makeEntry, type NewEntry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import { type EntryId, parseEntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { Scope } from "../base/scope.ts";
import { makeTurn, type NewTurn } from "../base/turn.ts";
import { checkVector, type Vector } from "../base/vector.ts";
import type { NewJob } from "../storage/job.ts";
import type { Commit, Write } from "../storage/storage.ts";
import type { CollectionDeps } from "./collection-deps.ts";
import type { LiveIndex } from "./live-index.ts";

export interface NewItem extends NewEntry {
  /** From `Collection.newId`, for items of one insert that link to each other. Absent: a new one. */
  readonly id?: EntryId | undefined;
  /** Names of the indexes to join. Absent: every index it can join. */
  readonly indexes?: readonly string[] | undefined;
  readonly vectors?: readonly Vector[] | undefined;
  /** Links to entries that are there already or come in the same insert; from the item itself unless said otherwise. */
  readonly edges?: readonly NewItemEdge[] | undefined;
  /** Entries that this one takes the place of: kept, but out of recall from the same moment on (C-11). */
  readonly supersedes?: readonly EntryId[] | undefined;
  /** Work it leaves behind, put down in the same transaction; its payload is given the new entry's id as `entry`. */
  readonly work?: readonly NewWork[] | undefined;
  /** What was said, to be journalled in the same transaction; it becomes a source of the entry. */
  readonly turn?: NewTurn | undefined;
}

export type NewItemEdge = Omit<NewEdge, "from"> & { readonly from?: EntryId | undefined };

/** Something to be decided later about an entry. */
export interface NewWork {
  /** Two works of one name on one entry are one … */
  readonly name: string;
  /** … unless they come of different occasions: what was settled once may have to be decided again. */
  readonly occasion?: string | undefined;
  readonly payload: JsonObject;
}

export interface PlannedItem {
  readonly entry: Entry;
  readonly vectors: readonly Vector[];
  readonly joins: readonly LiveIndex[];
  /** What its commit changes beyond adding it, as events name it: indexes that read that must read the log. */
  readonly alsoChanged: readonly string[];
}

export interface InsertPlan {
  readonly planned: readonly PlannedItem[];
  readonly writes: readonly Write[];
}

/** The indexes an item may join: all of them, or one by name, which refuses what it does not know. */
export interface Indexes {
  all(): readonly LiveIndex[];
  get(name: string): LiveIndex;
}

export function planInsert(
  collection: string,
  scope: Scope,
  items: readonly NewItem[],
  indexes: Indexes,
  deps: Pick<CollectionDeps, "clock" | "ids">,
): InsertPlan {
  const now = deps.clock.now();
  const turns: Write[] = [];
  const inserts: Write[] = [];
  const later: Write[] = [];
  const planned = items.map((item) => {
    const { id: given, indexes: names, vectors = [], edges = [], supersedes = [], ...others } = item;
    const { work = [], turn, ...fields } = others;
    const sources = [...(fields.sources ?? [])];
    if (turn !== undefined) {
      const id = deps.ids.turn();
      turns.push({ op: "turn-append", turn: makeTurn(turn, { id, scope, recordedAt: now }) });
      sources.push(id);
    }
    const id: EntryId = given === undefined ? deps.ids.entry() : parseEntryId(given);
    const stamp = { id, collection, scope, now, contentHash: hashOf(String(fields.content)) };
    const entry = makeEntry({ ...fields, ...(sources.length > 0 ? { sources } : {}) }, stamp);
    const joins = chooseIndexes(names, vectors, indexes);
    inserts.push({ op: "entry-insert", entry, vectors, indexes: joins.map(({ record }) => record.number) });
    for (const edge of edges)
      later.push({ op: "edge-put", edge: makeEdge({ ...edge, from: edge.from ?? id }, scope, now) });
    for (const old of supersedes) later.push({ op: "entry-update", id: old, fields: { supersededBy: id } });
    for (const one of work) later.push({ op: "job-put", job: makeWork(collection, id, one, now) });
    const alsoChanged = [
      ...(edges.length > 0 ? ["edges"] : []),
      ...(supersedes.length > 0 ? ["supersededBy"] : []),
    ];
    return { entry, vectors, joins, alsoChanged };
  });
  return { planned, writes: [...turns, ...inserts, ...later] };
}

/** Hands fresh entries to the indexes that are already awake; the others will catch up when they are asked. */
export async function feedIndexes(
  indexes: readonly LiveIndex[],
  planned: readonly PlannedItem[],
  { previous, seq }: Commit,
): Promise<void> {
  const changed = planned.flatMap(({ alsoChanged }) => alsoChanged);
  for (const live of indexes) {
    if (live.reads(changed)) continue;
    const items = planned.flatMap(({ entry, vectors, joins }, place) => {
      if (!joins.includes(live)) return [];
      const vector = vectors.find(({ space }) => space === live.space)?.values;
      return [{ id: entry.id, scope: entry.scope, position: previous + 1 + place, entry, vector, edges: [] }];
    });
    await live.apply(previous, seq, items);
  }
}

/** Indexes that are awake and do not read these fields need not look at what was changed in them. */
export async function passIndexes(
  indexes: readonly LiveIndex[],
  changed: readonly string[],
  { previous, seq }: Commit,
): Promise<void> {
  for (const live of indexes) if (!live.reads(changed)) await live.apply(previous, seq, []);
}

/** The job that holds a piece of work; its id is made of what it is about, so that it is put down once. */
export function makeWork(collection: string, id: EntryId, work: NewWork, now: number): NewJob {
  const { name, payload, occasion } = work;
  const kind = workKind(collection);
  const about = occasion === undefined ? id : `${id}:${occasion}`;
  return {
    id: `${kind}:${name}:${about}`,
    kind,
    subject: id,
    payload: { ...payload, name, entry: id },
    runAt: now,
  };
}

export function workKind(collection: string): string {
  return `work:${collection}`;
}

/** Explicit names must all work; without names an entry joins what it can: a vector index needs a vector of its space. */
function chooseIndexes(
  names: readonly string[] | undefined,
  vectors: readonly Vector[],
  indexes: Indexes,
): readonly LiveIndex[] {
  checkVectors(vectors, indexes.all());
  if (names === undefined)
    return indexes.all().filter(({ space }) => space === undefined || vectorIn(vectors, space));
  const chosen = [...new Set(names)].map((name) => indexes.get(name));
  for (const { record, space } of chosen) {
    if (space !== undefined && !vectorIn(vectors, space)) throw vectorMissing(record.name, space);
  }
  return chosen;
}

/** Every vector is sound, and of the length that the indexes over its space expect. */
export function checkVectors(vectors: readonly Vector[], indexes: readonly LiveIndex[]): void {
  const spaces = vectors.map(({ space }) => space);
  const twice = spaces.find((space, place) => spaces.indexOf(space) < place);
  if (twice !== undefined) {
    throw new MemoryError("vector_invalid", `There are two vectors of "${twice}". Valid: one per embedder.`);
  }
  for (const vector of vectors) {
    checkVector(vector);
    for (const { space, dimension } of indexes) {
      if (space === vector.space && dimension !== undefined) checkVector(vector, { space, dimension });
    }
  }
}

/** An index over vectors takes an entry only with a fitting one. */
export async function checkStoredVector(
  { storage }: Pick<CollectionDeps, "storage">,
  scope: Scope,
  id: EntryId,
  { record, space, dimension }: LiveIndex,
): Promise<void> {
  if (space === undefined) return;
  const [values] = await storage.vectors(scope, space, [id]);
  if (values === undefined) throw vectorMissing(record.name, space);
  if (dimension !== undefined) checkVector({ space, values }, { space, dimension });
}

function vectorMissing(index: string, space: string): MemoryError {
  return new MemoryError(
    "vector_invalid",
    `The index "${index}" needs a vector of the embedder "${space}" and the entry has none. Valid: give one in "vectors".`,
    { details: { index, space } },
  );
}

export function hashOf(content: string): string {
  return hash("sha256", content);
}

function vectorIn(vectors: readonly Vector[], space: string): boolean {
  return vectors.some((vector) => vector.space === space);
}
