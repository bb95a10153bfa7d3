/**
 * By segments (MemoryOS; Kang et al., EMNLP 2025): pages that no longer fit into the first tier are filed under segments of
 * their theme, segments beyond a number leave, and hot ones are read for the user's profile. A page in the segments' tier
 * that no segment holds, because a stop took its segment away half-way, is filed again.
 */
import { z } from "zod";
import type { Entry } from "../../../base/entry.ts";
import { where } from "../../../base/filter.ts";
import { segmentScoreOptions } from "../../../policies/topic-overlap.ts";
import { type BoundVitality, createVitality, vitalitySchema } from "../../../policies/vitality/index.ts";
import { summarizeChain } from "../../../tasks/summarize-chain.ts";
import type { Task } from "../../../tasks/task.ts";
import { themes } from "../../../tasks/themes.ts";
import { updateProfile } from "../../../tasks/update-profile.ts";
import type { OptimizeReport } from "../../service.ts";
import { report, type TriggerContext } from "../trigger.ts";
import type { PlannedMove } from "./migration.ts";
import { planOverflow } from "./overflow.ts";
import { EVICTIONS, evictSegments } from "./segments/evict.ts";
import { filePages } from "./segments/file-pages.ts";
import { type ReadOut, readOut } from "./segments/read-out.ts";
import { readSegments, SEGMENT } from "./segments/segment.ts";

const prompt = z.string().min(1);

export const segmentsOptions = z.strictObject({
  migrate_policy: z
    .literal("segments")
    .describe("What no longer fits into the first tier, filed under segments of its theme (MemoryOS)."),
  segment_tier: z.string().min(1).describe("The tier of segments and their pages, behind the first."),
  long_term_tier: z.string().min(1).describe("The tier of the profile and of knowledge."),
  themes_prompt: prompt.describe("Id of the prompt that asks for the themes of pages."),
  max_themes: z.int().min(1).describe("Most themes of pages that are filed together."),
  chain_prompt: prompt.describe("Id of the prompt that asks for the summary of a chain of pages."),
  chain_max_words: z.int().min(1).describe("Most words of such a summary."),
  join: segmentScoreOptions.describe("How alike a theme and a segment are (Fscore)."),
  join_threshold: z.number().describe("From this likeness on pages join a segment; below, they begin one."),
  max_segments: z.int().min(1).describe("How many segments there are at most."),
  evict: z
    .enum(EVICTIONS)
    .describe("Which one leaves where there are more: lfu, the least visited; heat, the coldest."),
  heat: vitalitySchema.describe("How hot a segment is: the name of a vitality policy and its options."),
  heat_threshold: z.number().describe("From this heat on a segment is read for the profile."),
  profile_prompt: prompt.describe("Id of the prompt that asks for the profile and for knowledge."),
  profile_min_chars: z
    .int()
    .min(0)
    .describe("A shorter profile is ignored; a Chinese character counts as two."),
  knowledge_capacity: z
    .int()
    .min(1)
    .describe("How many items are known of the user, and how many of the assistant; the oldest leave."),
});
export type SegmentsOptions = z.infer<typeof segmentsOptions>;

export function segmentsPrompts(given: SegmentsOptions): { readonly task: Task; readonly prompt: string }[] {
  return [
    { task: themes, prompt: given.themes_prompt },
    { task: summarizeChain, prompt: given.chain_prompt },
    { task: updateProfile, prompt: given.profile_prompt },
  ];
}

export async function migrateBySegments(
  context: TriggerContext,
  given: SegmentsOptions,
): Promise<OptimizeReport> {
  const heat = createVitality(given.heat);
  const { examined, moves: waiting } = await planOverflow(context);
  const moves = waiting.filter(({ to }) => to === given.segment_tier);
  const known = await readSegments(context, given.segment_tier);
  const pages = [...(await pagesOf(context, moves)), ...(await unfiled(context, known, given))];
  const begun = pages.length === 0 ? [] : await filePages(context, pages, known, given);
  const segments = pages.length === 0 ? known : await readSegments(context, given.segment_tier);
  const evicted = await evictSegments(context, segments, heat, given);
  const left = segments.filter(({ id }) => !evicted.includes(id));
  const read = await readHot(context, left, heat, given);
  const added = [...begun, ...read.added];
  const isIdle = pages.length + evicted.length + added.length === 0;
  return report("migrate", {
    examined,
    moved: moves,
    added,
    // What came and went at once was never there.
    retired: [...evicted, ...read.retired].filter((id) => !added.includes(id)),
    ...(isIdle ? { reason: "Nothing had to move." } : {}),
  });
}

async function pagesOf(
  { scope, store }: TriggerContext,
  moves: readonly PlannedMove[],
): Promise<readonly Entry[]> {
  const entries = await store.getMany(
    scope,
    moves.map(({ id }) => id),
  );
  return entries.filter((entry) => entry !== undefined);
}

/** What a stop can leave behind is among what was filed last. */
const LAST_FILED = 64;

async function unfiled(
  { scope, store }: TriggerContext,
  segments: readonly Entry[],
  { segment_tier }: SegmentsOptions,
): Promise<readonly Entry[]> {
  const held = new Set(segments.flatMap(({ sources }) => sources));
  const filter = where.and(
    where.eq("tier", segment_tier),
    where.eq("supersededBy", null),
    where.not(where.eq("kind", SEGMENT)),
  );
  const pages = await store.newest(scope, { filter, limit: LAST_FILED, own: true });
  return pages.filter(({ id }) => !held.has(id)).reverse();
}

/** The hottest first; the original reads one each time, but then a second run would find more to do. */
async function readHot(
  context: TriggerContext,
  segments: readonly Entry[],
  heat: BoundVitality,
  given: SegmentsOptions,
): Promise<ReadOut> {
  const now = context.deps.clock.now();
  const hot = segments
    .map((segment) => ({ segment, score: heat.score(segment, now) }))
    .filter(({ score }) => score >= given.heat_threshold)
    .sort((a, b) => b.score - a.score);
  return readOut(
    context,
    hot.map(({ segment }) => segment),
    given,
  );
}
