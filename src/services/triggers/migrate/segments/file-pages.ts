/**
 * Where do pages belong that no longer fit into the first tier? Their themes are told, and for each theme they join the
 * segment that is most like it (Fscore), or begin one (MemoryOS, papers.md B7). All thinking comes before any writing: a
 * model that fails leaves the pages where they were.
 */
import type { Entry } from "../../../../base/entry.ts";
import { where } from "../../../../base/filter.ts";
import type { EntryId } from "../../../../base/ids.ts";
import type { Vector } from "../../../../base/vector.ts";
import { cosine } from "../../../../math/cosine.ts";
import { type SegmentScoreOptions, segmentScore } from "../../../../policies/topic-overlap.ts";
import { runTask } from "../../../../tasks/run-task.ts";
import { summarizeChain } from "../../../../tasks/summarize-chain.ts";
import { themes as themesTask } from "../../../../tasks/themes.ts";
import { thinkingOf } from "../../derived.ts";
import type { TriggerContext } from "../../trigger.ts";
import { withMovedAt } from "../moved-at.ts";
import { keywordsOf, linesOfPage, SEGMENT } from "./segment.ts";

export interface FilingOptions {
  readonly segment_tier: string;
  readonly themes_prompt: string;
  readonly max_themes: number;
  readonly chain_prompt: string;
  readonly chain_max_words: number;
  readonly join: SegmentScoreOptions;
  readonly join_threshold: number;
}

interface Theme {
  readonly theme: string;
  readonly keywords: readonly string[];
  readonly content: string;
  readonly vector: Vector | undefined;
}

const CAUSE = { cause: "migrate: segments" };
const DAY_MS = 86_400_000;

/** Ids of the segments that were begun. `segments`: those there are. */
export async function filePages(
  context: TriggerContext,
  pages: readonly Entry[],
  segments: readonly Entry[],
  options: FilingOptions,
): Promise<EntryId[]> {
  const chains = await chainSummaries(context, pages, options);
  const themes = await themesOf(context, pages, options);
  const vectors = await vectorsOf(context, segments, themes);
  const begun: EntryId[] = [];
  const joined = new Set<EntryId>();
  for (const theme of themes) {
    const best = bestSegment(theme, pages, segments, vectors, options);
    if (best === undefined) begun.push(await begin(context, theme, pages, options));
    else if (!joined.has(best.id)) {
      joined.add(best.id);
      await join(context, best, pages);
    }
  }
  for (const page of pages) await settle(context, page, chains.get(page.id), options);
  return begun;
}

/** A page that goes on with its chain goes on with the chain's summary; the newest page's is that of the chain. */
async function chainSummaries(
  context: TriggerContext,
  pages: readonly Entry[],
  { segment_tier, chain_prompt: prompt, chain_max_words: max_words }: FilingOptions,
): Promise<Map<EntryId, string>> {
  const { scope, store } = context;
  const newest = new Map<string, string>();
  const summaries = new Map<EntryId, string>();
  for (const page of pages) {
    const { chain_id: chain } = page.metadata;
    if (typeof chain !== "string") continue;
    if (!newest.has(chain) && page.metadata.previous_page !== null) {
      const filter = where.and(where.eq("tier", segment_tier), where.eq("metadata.chain_id", chain));
      const before = await store.newest(scope, { filter, limit: SAME_MOMENT, own: true });
      newest.set(chain, String(newestOf(before)?.metadata.chain_summary ?? ""));
    }
    const input = { previous: newest.get(chain), lines: linesOfPage(page), max_words };
    const { reply } = await runTask({ ...summarizeChain, prompt }, input, thinkingOf(context));
    newest.set(chain, reply.summary);
    summaries.set(page.id, reply.summary);
  }
  return summaries;
}

async function themesOf(
  context: TriggerContext,
  pages: readonly Entry[],
  { themes_prompt: prompt, max_themes: limit }: FilingOptions,
): Promise<Theme[]> {
  const lines = pages.flatMap(linesOfPage);
  const { reply } = await runTask({ ...themesTask, prompt }, { lines, limit }, thinkingOf(context));
  const texts = reply.themes.map(({ content }) => content);
  const vectors = (await context.deps.embedder?.embedDocuments(texts, { scope: context.scope })) ?? [];
  return reply.themes.map((theme, place) => ({ ...theme, vector: vectors[place] }));
}

/** The segments' vectors, by the spaces that themes are in. */
async function vectorsOf(
  { scope, store }: TriggerContext,
  segments: readonly Entry[],
  themes: readonly Theme[],
): Promise<ReadonlyMap<string, readonly (Float32Array | undefined)[]>> {
  const ids = segments.map(({ id }) => id);
  const found = new Map<string, readonly (Float32Array | undefined)[]>();
  for (const space of new Set(themes.flatMap(({ vector }) => vector?.space ?? [])))
    found.set(space, await store.vectors(scope, space, ids));
  return found;
}

/** The best of those that are like enough; of equals the oldest. */
function bestSegment(
  { keywords, vector }: Theme,
  pages: readonly Entry[],
  segments: readonly Entry[],
  vectors: Awaited<ReturnType<typeof vectorsOf>>,
  { join: options, join_threshold }: FilingOptions,
): Entry | undefined {
  const now = latest(pages);
  let best: { readonly segment: Entry; readonly score: number } | undefined;
  for (const [place, segment] of segments.entries()) {
    const other = vector === undefined ? undefined : vectors.get(vector.space)?.[place];
    const similarity = vector === undefined || other === undefined ? 0 : cosine(vector.values, other);
    const daysApart = (now - segment.happenedAt) / DAY_MS;
    const score = segmentScore({ similarity, keywords: [keywords, keywordsOf(segment)], daysApart }, options);
    if (score >= join_threshold && score > (best?.score ?? Number.NEGATIVE_INFINITY))
      best = { segment, score };
  }
  return best?.segment;
}

/** Its heat counts from here: so many interactions, no visit, seen just now. */
function begin(
  { insert }: TriggerContext,
  { theme, keywords, content, vector }: Theme,
  pages: readonly Entry[],
  { segment_tier }: FilingOptions,
): Promise<EntryId> {
  return insert({
    kind: SEGMENT,
    content,
    sources: pages.map(({ id }) => id),
    happenedAt: latest(pages),
    metadata: { theme, keywords: [...keywords] },
    strength: pages.length,
    ...(vector === undefined ? {} : { vectors: [vector] }),
    insertMode: "active",
    insertParams: { targetTier: segment_tier },
  });
}

async function join(
  { scope, store, deps }: TriggerContext,
  { id, sources, happenedAt }: Entry,
  pages: readonly Entry[],
): Promise<void> {
  const all = [...new Set([...sources, ...pages.map((page) => page.id)])];
  const fields = { sources: all, happenedAt: Math.max(happenedAt, latest(pages)) };
  await store.update(scope, id, fields, CAUSE);
  const touch = { id, addStrength: all.length - sources.length, lastAccessAt: deps.clock.now() };
  await store.touch(scope, [touch], CAUSE);
}

async function settle(
  { scope, store, deps, move }: TriggerContext,
  page: Entry,
  chain: string | undefined,
  { segment_tier }: FilingOptions,
): Promise<void> {
  if (page.tier !== segment_tier) await move(page.id, segment_tier);
  const metadata = {
    ...withMovedAt(page, deps.clock.now()),
    ...(chain === undefined ? {} : { chain_summary: chain }),
  };
  await store.update(scope, page.id, { metadata }, CAUSE);
}

/** Where a whole session has one moment, the last page is told by its id. */
const SAME_MOMENT = 100;

function newestOf(pages: readonly Entry[]): Entry | undefined {
  return pages.toSorted((a, b) => b.happenedAt - a.happenedAt || (a.id < b.id ? 1 : -1))[0];
}

function latest(pages: readonly Entry[]): number {
  return pages.reduce((last, { happenedAt }) => Math.max(last, happenedAt), Number.NEGATIVE_INFINITY);
}
