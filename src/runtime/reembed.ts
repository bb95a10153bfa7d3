/**
 * Memories that the embedder at work has not embedded (it was changed, or came later) get their vectors, and with them their
 * places in the vector indexes. What an older one made stays beside it until it is dropped; a run that was stopped goes on
 * where it was, because it looks for what is missing.
 */
import { z } from "zod";
import type { Entry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import { throwIfAborted } from "../models/abort.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import { isNode } from "../services/graph/entity.ts";
import { spaceOf, textField, type VectorField } from "../services/vector-fields.ts";
import type { Write } from "../storage/storage.ts";
import { type EmbeddedText, embeddedTextOf, type TextOf } from "./embedded-text.ts";
import { fieldOf, knownSpaces } from "./known-spaces.ts";
import { openReblend, type Reblend } from "./reblend.ts";
import type { Running } from "./running.ts";

export interface ReembedOptions {
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Reembedded {
  /** Memories, and nodes of the graph between them, that got a vector. */
  readonly entries: number;
  /** Had their vectors already, need none where they are, or are in a language that nobody embeds. */
  readonly kept: number;
  /**
   * Lack a vector still, for what was embedded of them is not kept (multi_embed concat, or blend_embed of what was reworded
   * or whose turns are gone): `rebuild` makes them anew.
   */
  readonly left: number;
  readonly spaces: readonly string[];
}

const optionsSchema = z.strictObject({
  onProgress: z.custom<ReembedOptions["onProgress"]>((value) => typeof value === "function").optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

/** Entries that are embedded and committed together. */
const BATCH = 128;
const CAUSE = { actor: "runtime", cause: "reembed" } as const;

export async function reembed(
  running: Running,
  scope: Scope,
  options: ReembedOptions = {},
): Promise<Reembedded> {
  const { onProgress, signal } = parseInput(optionsSchema, options, "options of reembed");
  const { design, worker } = running;
  const { embedder } = design;
  if (embedder === undefined) {
    throw new MemoryError(
      "missing_dependency",
      `The design ${design.preset.name} embeds nothing. Valid: a design whose preset names an embedder.`,
    );
  }
  return worker.beside(scope, signal, (lost) =>
    embedMissing(running, scope, embedder, { onProgress, signal: lost }),
  );
}

async function embedMissing(
  running: Running,
  scope: Scope,
  embedder: EmbedderSet,
  { onProgress, signal }: ReembedOptions,
): Promise<Reembedded> {
  const { storage, design } = running;
  const { collection } = design.service;
  const total = (await storage.find(scope, collection, undefined, true)).size;
  const textOf = embeddedTextOf(design.preset);
  const reblend = openReblend(design.preset, storage, scope);
  const spaces = new Set<string>();
  const counts = { entries: 0, left: 0 };
  let done = 0;
  for (let after: EntryId | undefined; ; ) {
    throwIfAborted(signal, "Embedding anew");
    const page = await storage.scan(scope, { collection, after, limit: BATCH, own: true });
    const lacks = await lacksOf(running, scope, embedder, page, textOf);
    const made = await vectorsOf(lacks, reblend, (texts) =>
      embedder.embedDocuments(texts, { scope, signal }),
    );
    const given: Given[] = lacks.flatMap((lack) => {
      const vector = made.get(lack);
      if (vector === undefined) return [];
      return [{ entry: lack.entry, vector: { ...vector, space: spaceOf(vector.space, lack.field) } }];
    });
    await store(running, scope, given);
    for (const { vector } of given) spaces.add(vector.space);
    counts.entries += new Set(given.map(({ entry }) => entry.id)).size;
    counts.left += new Set(lacks.filter((lack) => !made.has(lack)).map(({ entry }) => entry.id)).size;
    done += page.length;
    onProgress?.(done, Math.max(done, total));
    after = page.at(-1)?.id;
    if (page.length < BATCH) break;
  }
  return { ...counts, kept: done - counts.entries - counts.left, spaces: [...spaces].sort() };
}

interface Lack {
  readonly entry: Entry;
  readonly field: string;
  /** Never "none". */
  readonly text: EmbeddedText;
}

/** By what lacks one; absent: nobody knows any more what to embed; undefined: nobody reads its language. */
async function vectorsOf(
  lacks: readonly Lack[],
  reblend: Reblend,
  embed: (texts: readonly string[]) => Promise<(Vector | undefined)[]>,
): Promise<Map<Lack, Vector | undefined>> {
  const of = (is: "known" | "blended") =>
    lacks.flatMap((lack) => (lack.text.is === is ? [{ lack, entry: lack.entry, text: lack.text.text }] : []));
  const plain = of("known");
  const made = plain.length === 0 ? [] : await embed(plain.map(({ text }) => text));
  const blended = await reblend(of("blended"), embed);
  return new Map([
    ...plain.map(({ lack }, place): [Lack, Vector | undefined] => [lack, made[place]]),
    ...[...blended].map(([{ lack }, vector]): [Lack, Vector | undefined] => [lack, vector]),
  ]);
}

/**
 * What is in no index is never found by a vector, and needs none. Where its place has no index of vectors it needs one only
 * if it had one before: it may be moved to where there is one.
 */
async function lacksOf(
  { storage, design }: Running,
  scope: Scope,
  embedder: EmbedderSet,
  page: readonly Entry[],
  textOf: TextOf,
): Promise<Lack[]> {
  const ids = page.map(({ id }) => id);
  const memberships = await storage.memberships(scope, ids);
  const found = page.filter((_, place) => (memberships[place] ?? []).length > 0);
  const known = await knownSpaces(storage, design.service.collection);
  const lacks: Lack[] = [];
  for (const [kind, entries] of Map.groupBy(found, (entry) => (isNode(entry.kind) ? entry.kind : null))) {
    for (const { name, spaces } of fieldsOf(design.fields, embedder, kind)) {
      const bare = await without(storage, scope, entries, spaces);
      const older = known.filter((space) => fieldOf(space) === name).map((space) => ({ space }));
      const never = new Set(await without(storage, scope, bare, older));
      for (const entry of bare) {
        const hasHome = spaces.some(({ space }) => design.service.vectorHomes(entry, space).length > 0);
        const text = textOf(entry, name);
        if ((never.has(entry) && !hasHome) || text.is === "none") continue;
        lacks.push({ entry, field: name, text });
      }
    }
  }
  return lacks;
}

/** Measures, which no embedder makes, are there whoever embeds; nodes have a field of their own. */
function fieldsOf(
  fields: readonly VectorField[],
  embedder: EmbedderSet,
  nodeKind: string | null,
): readonly VectorField[] {
  if (nodeKind !== null) return [textField(nodeKind, embedder.spaces)];
  return fields.filter(({ spaces }) => spaces.every(({ space }) => !space.startsWith("#")));
}

/** Those that have a vector in none of the spaces: each text goes into the one of its language. */
async function without(
  storage: Running["storage"],
  scope: Scope,
  entries: readonly Entry[],
  spaces: readonly { readonly space: string }[],
): Promise<readonly Entry[]> {
  const ids = entries.map(({ id }) => id);
  const columns = await Promise.all(spaces.map(({ space }) => storage.vectors(scope, space, ids)));
  return entries.filter((_, place) => columns.every((column) => column[place] === undefined));
}

interface Given {
  readonly entry: Entry;
  readonly vector: Vector;
}

/** All of a batch in one transaction; one that was deleted meanwhile must not keep the others from theirs. */
async function store(running: Running, scope: Scope, given: readonly Given[]): Promise<void> {
  if (given.length === 0) return;
  const { storage, design } = running;
  const { collection } = design.service;
  const { registry } = await storage.feed.head();
  const indexes = (await storage.collections()).find(({ name }) => name === collection)?.indexes ?? [];
  const numberOf = new Map(indexes.map(({ name, number }) => [name, number]));
  const writes = given.flatMap(({ entry, vector }): Write[] => [
    { op: "vector-put", id: entry.id, vector },
    ...design.service
      .vectorHomes(entry, vector.space)
      .flatMap((name) => numberOf.get(name) ?? [])
      .map((index): Write => ({ op: "index-join", id: entry.id, index })),
  ]);
  try {
    await storage.commit(scope, writes, CAUSE, { collection, registry });
  } catch (error) {
    if (!MemoryError.is(error)) throw error;
    if (error.code === "version_conflict") return store(running, scope, given);
    if (error.code !== "entry_not_found") throw error;
    const there = await storage.entries(
      scope,
      collection,
      given.map(({ entry }) => entry.id),
    );
    const rest = given.filter((_, place) => there[place] !== undefined);
    if (rest.length < given.length) return store(running, scope, rest);
    throw error;
  }
}
