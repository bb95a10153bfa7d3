/**
 * Hot segments are read: their pages that were not read yet tell who the user is. The profile is written anew and takes the
 * old one's place, unless it says nothing; what is known of the user and what the assistant said are kept one by one, the
 * newest so many of each. Then the segments' visits and interactions are set back, so that only what is new heats them
 * again: after all thinking and all writing, and in one transaction, for what was read out may be taken back, but not that
 * a page was read.
 */
import type { Entry } from "../../../../base/entry.ts";
import { where } from "../../../../base/filter.ts";
import { type EntryId, isEntryId } from "../../../../base/ids.ts";
import type { JsonObject } from "../../../../base/json.ts";
import { optionalText } from "../../../../tasks/reply-forms.ts";
import { runTask } from "../../../../tasks/run-task.ts";
import { updateProfile } from "../../../../tasks/update-profile.ts";
import type { ServiceInsert } from "../../../service.ts";
import { insertDerived, thinkingOf } from "../../derived.ts";
import { ownEntries } from "../../own-entries.ts";
import type { TriggerContext } from "../../trigger.ts";
import {
  ASSISTANT_KNOWLEDGE,
  earlierVisits,
  linesOfPage,
  type Parties,
  PROFILE,
  partiesOf,
  USER_KNOWLEDGE,
} from "./segment.ts";

export interface ReadingOptions {
  readonly long_term_tier: string;
  readonly profile_prompt: string;
  readonly profile_min_chars: number;
  readonly knowledge_capacity: number;
}

export interface ReadOut {
  readonly added: readonly EntryId[];
  readonly retired: readonly EntryId[];
}

const CAUSE = { cause: "migrate: segments" };

/** `segments`: the hot ones, in the order they are read. */
export async function readOut(
  context: TriggerContext,
  segments: readonly Entry[],
  options: ReadingOptions,
): Promise<ReadOut> {
  const inTier = where.eq("tier", options.long_term_tier);
  const [old] = await ownEntries(context, where.and(where.eq("kind", PROFILE), inTier));
  const readings = await readAll(context, segments, old, options);
  const pages = readings.flatMap((reading) => reading.pages);
  if (pages.length === 0) return { added: [], retired: [] };
  const added = await insertDerived(context, await draftsOf(context, readings, old, options));
  const retired = old !== undefined && readings.some(({ profile }) => profile !== undefined) ? [old.id] : [];
  const crowdedOut = [
    ...(await keepNewest(context, USER_KNOWLEDGE, options)),
    ...(await keepNewest(context, ASSISTANT_KNOWLEDGE, options)),
  ];
  await setBack(
    context,
    readings.map(({ segment }) => segment),
    pages,
  );
  return { added, retired: [...retired, ...crowdedOut] };
}

/** What one segment told. */
interface Reading {
  readonly segment: Entry;
  /** Those of its pages that were not read before, oldest first. */
  readonly pages: readonly Entry[];
  readonly parties: Parties;
  /** undefined: as it was before. */
  readonly profile: string | undefined;
  readonly user_facts: readonly string[];
  readonly assistant_knowledge: readonly string[];
}

/** Each goes on from the profile that those before it made. */
async function readAll(
  context: TriggerContext,
  segments: readonly Entry[],
  old: Entry | undefined,
  options: ReadingOptions,
): Promise<Reading[]> {
  const readings: Reading[] = [];
  const seen = new Set<EntryId>();
  let known = old?.content ?? "";
  let parties: JsonObject | undefined = old?.metadata;
  for (const segment of segments) {
    const pages = (await unreadPages(context, segment)).filter(({ id }) => !seen.has(id));
    if (pages.length === 0) continue;
    for (const { id } of pages) seen.add(id);
    const who = partiesOf(pages, parties);
    const input = { profile: known, ...who, lines: pages.flatMap(linesOfPage) };
    const task = { ...updateProfile, prompt: options.profile_prompt };
    const { reply } = await runTask(task, input, thinkingOf(context));
    const profile = worthKeeping(reply.profile, known, options);
    readings.push({ ...reply, segment, pages, parties: who, profile });
    if (profile === undefined) continue;
    known = profile;
    parties = { ...who };
  }
  return readings;
}

async function unreadPages({ scope, store }: TriggerContext, { sources }: Entry): Promise<Entry[]> {
  const pages = await store.getMany(scope, sources.filter(isEntryId));
  return pages.filter((page) => page !== undefined).filter(({ metadata }) => metadata.analysed !== true);
}

/** Neither "none", nor too short, nor what is there already. */
function worthKeeping(
  text: string,
  known: string,
  { profile_min_chars }: ReadingOptions,
): string | undefined {
  const profile = optionalText(text);
  if (profile === null || widthOf(profile) < profile_min_chars || profile === known) return undefined;
  return profile;
}

/** A Chinese character says about as much as two letters. */
function widthOf(text: string): number {
  return text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);
}

/** Every new item of knowledge, and the profile as the last reading left it. */
async function draftsOf(
  context: TriggerContext,
  readings: readonly Reading[],
  old: Entry | undefined,
  { long_term_tier }: ReadingOptions,
): Promise<ServiceInsert[]> {
  const place = { insertMode: "active", insertParams: { targetTier: long_term_tier } } as const;
  const drafts: ServiceInsert[] = [];
  const told = new Set<string>();
  for (const { pages, user_facts, assistant_knowledge } of readings) {
    const knowledge = [
      ...(await newOnes(context, USER_KNOWLEDGE, user_facts)),
      ...(await newOnes(context, ASSISTANT_KNOWLEDGE, assistant_knowledge)),
    ].filter(({ kind, content }) => !told.has(`${kind} ${content}`));
    for (const { kind, content } of knowledge) told.add(`${kind} ${content}`);
    drafts.push(...knowledge.map((one) => ({ ...one, ...originOf(pages), ...place })));
  }
  const changes = readings.filter(({ profile }) => profile !== undefined);
  const last = changes.at(-1);
  if (last?.profile === undefined) return drafts;
  const { sources, happenedAt } = originOf(changes.flatMap(({ pages }) => pages));
  const before = old === undefined ? [] : [old.id];
  const draft = { kind: PROFILE, content: last.profile, metadata: { ...last.parties }, happenedAt };
  return [...drafts, { ...draft, sources: [...before, ...sources], supersedes: before, ...place }];
}

function originOf(pages: readonly Entry[]): { readonly sources: EntryId[]; readonly happenedAt: number } {
  return {
    sources: pages.map(({ id }) => id),
    happenedAt: Math.max(...pages.map((page) => page.happenedAt)),
  };
}

/** What is said of a kind that is not known word for word. */
async function newOnes(
  context: TriggerContext,
  kind: string,
  texts: readonly string[],
): Promise<{ readonly kind: string; readonly content: string }[]> {
  if (texts.length === 0) return [];
  const known = new Set((await ownEntries(context, where.eq("kind", kind))).map(({ content }) => content));
  return texts.filter((content) => !known.has(content)).map((content) => ({ kind, content }));
}

async function keepNewest(
  context: TriggerContext,
  kind: string,
  { knowledge_capacity }: ReadingOptions,
): Promise<EntryId[]> {
  const all = (await ownEntries(context, where.eq("kind", kind))).filter(({ pinned }) => !pinned);
  const old = all.slice(0, Math.max(0, all.length - knowledge_capacity)).map(({ id }) => id);
  return context.store.archiveMany(context.scope, old, CAUSE);
}

async function setBack(
  { scope, store }: TriggerContext,
  segments: readonly Entry[],
  pages: readonly Entry[],
): Promise<void> {
  const read = pages.map(({ id, metadata }) => ({
    ...{ id, change: { metadata: { ...metadata, analysed: true } } },
  }));
  const cooled = segments.map(({ id, metadata, accessCount }) => {
    const earlier = { ...metadata, earlier_visits: earlierVisits(metadata) + accessCount };
    return { id, change: { accessCount: 0, strength: 0, metadata: earlier } };
  });
  await store.updateMany(scope, [...read, ...cooled], CAUSE);
}
