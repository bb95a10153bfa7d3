/**
 * What memory is in two minds about (S4-1, B.4): signals that wait for somebody, and the four ways to settle one. What leaves
 * recall can still be read (C-11). A merge is a real one: a memory that says both takes the place of both.
 */
import { z } from "zod";
import { mergedEntry } from "../../actions/post-insert/round/merge.ts";
import type { Entry } from "../../base/entry.ts";
import { MemoryError } from "../../base/errors.ts";
import { type EntryId, parseEntryId } from "../../base/ids.ts";
import { embedTexts } from "../../pipeline/stage-context.ts";
import type { PendingItem, ServiceInsert } from "../../services/service.ts";
import { CONTENT } from "../../services/vector-fields.ts";
import { distil } from "../../tasks/distil.ts";
import { runTask } from "../../tasks/run-task.ts";
import { energyPolicy, type MemoryNode, type NodePlace, nodeOf } from "./memory-node.ts";

export const RESOLUTIONS = ["keep_new", "keep_old", "merge", "ignore"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export interface ConflictSignal {
  /** The older memory that the new one clashes with. */
  readonly old: { readonly id: EntryId; readonly content: string };
  /** contradiction, update, refinement … */
  readonly kind: string;
  readonly confidence: number;
  readonly evidence: readonly string[];
  /** confirm: somebody is asked; restructure: the old one has gone cold meanwhile, and may as well give way. */
  readonly action: "confirm" | "restructure";
  /** 0.3 low, 0.5 middle, 0.7 high. */
  readonly priority: number;
}

export interface Conflict {
  readonly id: string;
  readonly new: { readonly id: EntryId; readonly content: string };
  readonly signals: readonly ConflictSignal[];
  readonly since: number;
}

export interface Resolved {
  readonly resolution: Resolution;
  /** What stands now; null: both do. */
  readonly kept: MemoryNode | null;
  /** Out of recall, and still readable. */
  readonly retired: readonly EntryId[];
}

const signalsSchema = z.looseObject({
  signals: z.array(
    z.object({
      entry: z.string(),
      kind: z.string(),
      confidence: z.number(),
      evidence: z.array(z.string()),
      priority: z.number(),
    }),
  ),
});

const coldSchema = z.looseObject({ restructure_below: z.number() });

/** Oldest first. One whose memories have been settled otherwise meanwhile is none any more. */
export async function conflictsOf(place: NodePlace): Promise<Conflict[]> {
  return (await asked(place)).flatMap(({ conflict }) => conflict ?? []);
}

/** What somebody was asked, and what is left of it. */
async function asked(
  place: NodePlace,
): Promise<{ readonly id: string; readonly conflict: Conflict | undefined }[]> {
  const { pendingItems } = await place.running.design.service.getStatus(place.scope);
  const all: { id: string; conflict: Conflict | undefined }[] = [];
  for (const item of pendingItems)
    if (item.action === "crud") all.push({ id: item.id, conflict: await readConflict(place, item) });
  return all;
}

async function readConflict(
  { running, scope }: NodePlace,
  { id, entry, details, since }: PendingItem,
): Promise<Conflict | undefined> {
  const told = signalsSchema.safeParse(details);
  if (!told.success) return undefined;
  const { storage, design, clock } = running;
  const { score } = energyPolicy(running);
  const checks = design.preset.stages.post_insert.find(({ action: name }) => name === "conflict_signals");
  const cold = coldSchema.safeParse(checks?.options).data?.restructure_below ?? 0;
  const ids = [entry, ...told.data.signals.map((signal) => parseEntryId(signal.entry))];
  const [fresh, ...olds] = await storage.entries(scope, design.service.collection, ids);
  if (fresh === undefined || fresh.supersededBy !== null) return undefined;
  const signals = told.data.signals.flatMap(({ kind, confidence, evidence, priority }, at) => {
    const old = olds[at];
    if (old === undefined || old.supersededBy !== null) return [];
    const isCold = score(old, clock.now()) < cold;
    const now: ConflictSignal["action"] = isCold ? "restructure" : "confirm";
    return [{ old: shortOf(old), kind, confidence, evidence, action: now, priority }];
  });
  return signals.length === 0 ? undefined : { id, new: shortOf(fresh), signals, since };
}

function shortOf({ id, content }: Entry): { readonly id: EntryId; readonly content: string } {
  return { id, content };
}

/** Alone in the scope, so that nothing is settled twice. */
export function resolve(place: NodePlace, id: string, resolution: Resolution): Promise<Resolved> {
  const { running, scope } = place;
  return running.worker.beside(scope, undefined, async () => {
    const all = await asked(place);
    // What was settled otherwise meanwhile waits for nobody.
    for (const { id: over, conflict } of all)
      if (conflict === undefined) await running.design.service.acknowledge(scope, over);
    const conflict = all.find((one) => one.id === id)?.conflict;
    if (conflict === undefined) {
      throw new MemoryError(
        "job_not_found",
        `No conflict ${id} waits in the scope "${scope}": it was settled, or never was. Valid: an id of conflicts().`,
      );
    }
    const done = await settle(place, conflict, resolution);
    await running.design.service.acknowledge(scope, id);
    return done;
  });
}

async function settle(
  place: NodePlace,
  { new: fresh, signals }: Conflict,
  resolution: Resolution,
): Promise<Resolved> {
  const { running, scope } = place;
  const { service } = running.design;
  const [first, ...more] = signals.map(({ old }) => old.id);
  if (resolution === "ignore" || first === undefined) return { resolution, kept: null, retired: [] };
  if (resolution === "merge") return merge(place, fresh.id, [first, ...more]);
  const isNew = resolution === "keep_new";
  const [kept, retired] = isNew ? [fresh.id, [first, ...more]] : [first, [fresh.id]];
  await service.supersede(scope, retired, kept);
  return { resolution, kept: await nodeOf(place, kept), retired };
}

async function merge(place: NodePlace, id: EntryId, olds: readonly EntryId[]): Promise<Resolved> {
  const { running, scope } = place;
  const { storage, design, clock } = running;
  const found = await storage.entries(scope, design.service.collection, [...olds, id]);
  const entries = found.flatMap((entry) => entry ?? []);
  const fresh = entries.find((entry) => entry.id === id);
  const known = entries.filter((entry) => entry.id !== id);
  if (fresh === undefined) throw new MemoryError("entry_not_found", `The memory ${id} was forgotten.`);
  const now = clock.now();
  const { score } = energyPolicy(running);
  const energy = Math.max(...entries.map((entry) => score(entry, now)));
  const text = await textOfBoth(place, known, fresh);
  const embed: Parameters<typeof mergedEntry>[1]["embed"] = (texts, field = CONTENT) =>
    embedTexts({ thinking: design.thinking, embedder: design.embedder }, texts, field, { scope, now });
  const {
    insertParams: _,
    insertMode: __,
    ...merged
  } = await mergedEntry(
    { text, fresh: asInsert(fresh), known, kind: fresh.kind, fields: [CONTENT] },
    { now, embed },
  );
  const retired = entries.filter((entry) => entry.scope === scope).map((entry) => entry.id);
  const kept = await design.service.insert(scope, {
    ...merged,
    metadata: { ...merged.metadata, initial_energy: energy },
    energyAnchor: { value: energy, at: now },
    supersedes: retired,
    ...(fresh.tier === null ? {} : { insertMode: "active", insertParams: { targetTier: fresh.tier } }),
  });
  // It is tied to its surroundings like every memory that comes.
  await design.upkeep(scope, { only: ["route_links"] });
  return { resolution: "merge", kept: await nodeOf(place, kept), retired };
}

/** One statement by the model; without one both, the older first: nothing that was said is dropped by a guess. */
async function textOfBoth(
  { running, scope }: NodePlace,
  known: readonly Entry[],
  fresh: Entry,
): Promise<string> {
  const inOrder = [...known, fresh].sort((a, b) => a.happenedAt - b.happenedAt).map(({ content }) => content);
  const given = { memory: fresh.content, existing: known.map(({ content }) => content) };
  const { reply, path } = await runTask(distil, given, { ...running.design.thinking, scope });
  const isWhole = path === "model" && reply.merged !== null && reply.replaced.length === known.length;
  return isWhole && reply.merged !== null ? reply.merged : [...new Set(inOrder)].join("\n");
}

function asInsert(entry: Entry): ServiceInsert {
  const { content, rationale, tags, metadata, sources, happenedAt, importance, strength } = entry;
  const { accessCount, usefulCount, pinned } = entry;
  return {
    ...{ content, rationale, tags, metadata, sources, happenedAt, importance, strength },
    ...{ accessCount, usefulCount, pinned },
  };
}
