/**
 * A hot segment is read: its pages that were not read yet tell who the user is. The profile is written anew and takes the
 * old one's place, unless it says nothing; what is known of the user and what the assistant said are kept one by one, the
 * newest so many of each. Then the segment's visits and interactions are set back, so that only what is new heats it again.
 */
import type { Entry } from "../../../../base/entry.ts";
import { where } from "../../../../base/filter.ts";
import { type EntryId, isEntryId } from "../../../../base/ids.ts";
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

/** The pages of a segment that no profile was read out of yet, oldest first. */
export async function unreadPages(
  { scope, store }: TriggerContext,
  { sources }: Entry,
): Promise<readonly Entry[]> {
  const pages = await store.getMany(scope, sources.filter(isEntryId));
  return pages.filter((page) => page !== undefined).filter(({ metadata }) => metadata.analysed !== true);
}

export async function readOut(
  context: TriggerContext,
  segment: Entry,
  pages: readonly Entry[],
  options: ReadingOptions,
): Promise<ReadOut> {
  const { long_term_tier: tier, profile_prompt: prompt } = options;
  const inTier = where.eq("tier", tier);
  const [old] = await ownEntries(context, where.and(where.eq("kind", PROFILE), inTier));
  const lines = pages.flatMap(linesOfPage);
  const parties = partiesOf(pages, old?.metadata);
  const input = { profile: old?.content ?? "", ...parties, lines };
  const { reply } = await runTask({ ...updateProfile, prompt }, input, thinkingOf(context));
  const profile = worthKeeping(reply.profile, old, options);
  const sources = pages.map(({ id }) => id);
  const place = { insertMode: "active", insertParams: { targetTier: tier } } as const;
  const happenedAt = Math.max(...pages.map((page) => page.happenedAt));
  const knowledge = [
    ...(await newOnes(context, USER_KNOWLEDGE, reply.user_facts)),
    ...(await newOnes(context, ASSISTANT_KNOWLEDGE, reply.assistant_knowledge)),
  ];
  const drafts: ServiceInsert[] = knowledge.map((one) => ({ ...one, sources, happenedAt, ...place }));
  if (profile !== undefined) {
    const before = old === undefined ? [] : [old.id];
    const draft = { kind: PROFILE, content: profile, metadata: { ...parties }, happenedAt };
    drafts.push({ ...draft, sources: [...before, ...sources], supersedes: before, ...place });
  }
  const added = await insertDerived(context, drafts);
  const retired = profile === undefined || old === undefined ? [] : [old.id];
  const crowdedOut = [
    ...(await keepNewest(context, USER_KNOWLEDGE, options)),
    ...(await keepNewest(context, ASSISTANT_KNOWLEDGE, options)),
  ];
  await setBack(context, segment, pages);
  return { added, retired: [...retired, ...crowdedOut] };
}

/** Neither "none", nor too short, nor what is there already. */
function worthKeeping(
  text: string,
  old: Entry | undefined,
  { profile_min_chars }: ReadingOptions,
): string | undefined {
  const profile = optionalText(text);
  if (profile === null || widthOf(profile) < profile_min_chars || profile === old?.content) return undefined;
  return profile;
}

/** A Chinese character says about as much as two letters. */
function widthOf(text: string): number {
  return text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);
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

/** Last of all: whatever stops before it, the segment is still hot and read again. */
async function setBack(
  { scope, store }: TriggerContext,
  { id, metadata, accessCount }: Entry,
  pages: readonly Entry[],
): Promise<void> {
  for (const page of pages)
    await store.update(scope, page.id, { metadata: { ...page.metadata, analysed: true } }, CAUSE);
  const earlier = { ...metadata, earlier_visits: earlierVisits(metadata) + accessCount };
  await store.update(scope, id, { accessCount: 0, strength: 0, metadata: earlier }, CAUSE);
}
