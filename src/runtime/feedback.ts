/**
 * What came of a recall (S3-27): groups that say the same become one, memories that were useful are strengthened (of a public
 * one it is only counted, because its strength is everyone's), and new ones are remembered. Everything is checked before
 * anything is written: an id that the scope does not see, as one of another private scope, refuses the whole.
 *
 * A merged memory says what the first of its group says, has the tags of all and the strength of all together, and is not
 * pinned (B.3). Those of the scope's own that it takes the place of leave recall and can still be read (C-11); a public one
 * stays for the others, because a scope changes only its own. The public scope sees public ones alone, so it joins no
 * others. Whoever was replaced since it was recalled is spoken for by what took its place.
 */
import { z } from "zod";
import { mergedEntry } from "../actions/post-insert/round/merge.ts";
import { ARCHIVED, type Entry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import { type EntryId, parseEntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import { isNode } from "../services/graph/entity.ts";
import type { ServiceInsert } from "../services/service.ts";
import { type JudgedMemory, judgedMemorySchema, judgedTurn } from "./judged-memory.ts";
import { currentOf } from "./memories-of.ts";
import { remember } from "./remember.ts";
import type { Running } from "./running.ts";

export interface Feedback {
  /** Ids of memories that helped. */
  readonly useful?: readonly string[] | undefined;
  readonly new?: readonly JudgedMemory[] | undefined;
  /** Groups of two or more ids. */
  readonly merge?: readonly (readonly string[])[] | undefined;
}

export interface FeedbackReport {
  readonly strengthened: readonly EntryId[];
  readonly remembered: readonly EntryId[];
  /** Each with the memories it took the place of; they can still be read. [] where they were one already. */
  readonly merged: readonly { readonly id: EntryId; readonly from: readonly EntryId[] }[];
  /** Why a new one is not taken up yet; it is in the journal and will be tried again. */
  readonly delayed: string | null;
}

const feedbackSchema: z.ZodType<Feedback> = z.strictObject({
  useful: z.array(z.string()).optional(),
  new: z.array(judgedMemorySchema).optional(),
  merge: z
    .array(z.array(z.string()).refine((ids) => new Set(ids).size > 1, "must hold two different ids or more"))
    .optional(),
});

export async function feedback(running: Running, scope: Scope, given: Feedback): Promise<FeedbackReport> {
  const { useful = [], new: judged = [], merge = [] } = parseInput(feedbackSchema, given, "feedback");
  // Throws for what could not be remembered; the turns themselves are made when they are.
  judged.forEach(judgedTurn);
  refuseShared(merge);
  await named(running, scope, [...useful, ...merge.flat()]);
  const merged = merge.length === 0 ? [] : await mergeAll(running, scope, merge);
  const praised = await distinctCurrent(running, scope, useful);
  if (praised.length > 0) await running.design.service.feedback(scope, praised, 1);
  const remembered = judged.length === 0 ? undefined : await remember(running, scope, judged);
  return {
    strengthened: praised.map(({ id }) => id),
    remembered: remembered?.memories ?? [],
    merged,
    delayed: remembered?.delayed ?? null,
  };
}

/** One memory cannot become part of two. */
function refuseShared(groups: readonly (readonly string[])[]): void {
  const all = groups.flatMap((group) => [...new Set(group)]);
  const shared = all.find((id, place) => all.indexOf(id) < place);
  if (shared === undefined) return;
  throw new MemoryError(
    "input_invalid",
    `The memory ${shared} is in two groups to merge. Valid: groups that have no memory in common.`,
  );
}

async function named(
  { storage, design }: Running,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Entry>> {
  const wanted = [...new Set(ids)].map(parseEntryId);
  const found = await storage.entries(scope, design.service.collection, wanted);
  const known = new Map<string, Entry>();
  for (const [place, id] of wanted.entries()) {
    const entry = found[place];
    if (entry === undefined || isNode(entry.kind)) {
      throw new MemoryError(
        "entry_not_found",
        `There is no memory ${id} that the scope "${scope}" sees, so nothing was changed. Valid: ids of hits of its own recall.`,
        { details: { id } },
      );
    }
    known.set(id, entry);
  }
  return known;
}

/** What stands for them now, each once; what was archived is strengthened as it is. */
async function distinctCurrent(running: Running, scope: Scope, ids: readonly string[]): Promise<Entry[]> {
  const { storage } = running;
  const known = await named(running, scope, ids);
  const entries = ids.flatMap((id) => known.get(id) ?? []);
  const replaced = entries.filter(({ supersededBy }) => supersededBy !== null);
  const kept = entries.filter(({ supersededBy }) => supersededBy === null);
  const current = [...kept, ...(await currentOf(storage, scope, replaced))];
  return [...new Map(current.map((entry) => [entry.id, entry])).values()];
}

/** Alone in the scope: no window is taken up meanwhile, and none that failed takes what is stored here back. */
function mergeAll(
  running: Running,
  scope: Scope,
  groups: readonly (readonly string[])[],
): Promise<FeedbackReport["merged"]> {
  const { service } = running.design;
  return running.worker.beside(scope, undefined, async () => {
    const planned: { readonly entry: ServiceInsert; readonly from: readonly EntryId[] }[] = [];
    const merged: { id: EntryId; from: readonly EntryId[] }[] = [];
    for (const group of groups) {
      const [first, ...others] = await distinctCurrent(running, scope, group);
      if (first !== undefined && others.length === 0) merged.push({ id: first.id, from: [] });
      else if (first !== undefined) planned.push(await planMerge(running, scope, first, others));
    }
    for (const { entry, from } of planned)
      merged.push({ id: await service.insert(scope, { ...entry, supersedes: from }), from });
    return merged;
  });
}

async function planMerge(
  running: Running,
  scope: Scope,
  first: Entry,
  others: readonly Entry[],
): Promise<{ readonly entry: ServiceInsert; readonly from: readonly EntryId[] }> {
  const all = [first, ...others];
  const anchors = all.flatMap(({ energyAnchor }) => energyAnchor ?? []);
  const now = running.clock.now();
  const entry = await mergedEntry(
    { text: first.content, fresh: placedAs(first), known: others, kind: "knowledge", fields: [] },
    { now, embed: async () => [] },
  );
  const { insertParams, insertMode, ...fields } = entry;
  return {
    entry: {
      ...fields,
      sources: [...new Set(all.flatMap(({ sources }) => sources))],
      strength: all.reduce((sum, { strength }) => sum + strength, 0),
      pinned: false,
      // What is most alive of them lives on.
      energyAnchor: anchors.sort((a, b) => b.value - a.value)[0] ?? null,
      vectors: await vectorsOf(running, scope, first),
      ...(insertParams?.targetTier === undefined ? {} : { insertParams, insertMode }),
    },
    from: all.filter((one) => one.scope === scope).map(({ id }) => id),
  };
}

/** As an insert that goes where the memory is. */
function placedAs({
  content,
  rationale,
  tags,
  metadata,
  sources,
  happenedAt,
  tier,
  ...rest
}: Entry): ServiceInsert {
  const { importance, strength, accessCount, usefulCount, pinned } = rest;
  return {
    content,
    rationale,
    tags,
    metadata,
    sources,
    happenedAt,
    importance,
    strength,
    accessCount,
    usefulCount,
    pinned,
    insertParams: tier === null || tier === ARCHIVED ? {} : { targetTier: tier },
  };
}

/** It says what the first says, so it is found by the first's vectors. */
async function vectorsOf({ storage, design }: Running, scope: Scope, { id }: Entry): Promise<Vector[]> {
  const vectors: Vector[] = [];
  for (const { space } of design.fields.flatMap(({ spaces }) => spaces)) {
    const [values] = await storage.vectors(scope, space, [id]);
    if (values !== undefined) vectors.push({ space, values });
  }
  return vectors;
}
