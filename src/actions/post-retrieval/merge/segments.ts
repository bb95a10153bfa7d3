/**
 * Through the segments to the pages (MemoryOS; Kang et al., EMNLP 2025): the segments nearest to the question, their pages
 * that are near enough, the best of these; then what is at hand, and single knowledge. A segment with such a page is
 * handed out without a text: it was visited, and the pages say what it stands for. A page that goes on with a chain has
 * the chain's newest summary in `metadata.chain_summary`, whichever of its pages was found.
 */
import { z } from "zod";
import { type Filter, where } from "../../../base/filter.ts";
import type { Claims, PostRetrievalContext, ReadHandle } from "../../../pipeline/action.ts";
import { type Found, type FoundHit, type Question, toFound } from "../../../pipeline/question.ts";
import {
  ASSISTANT_KNOWLEDGE,
  SEGMENT,
  USER_KNOWLEDGE,
} from "../../../services/triggers/migrate/segments/segment.ts";
import { bestFirst, oldestFirst, rescored, withNew } from "../found-hits.ts";

const tier = z.string().min(1);

export const segmentsOptions = z.strictObject({
  merge_strategy: z
    .literal("segments")
    .describe("Pages of the segments nearest to the question, with what is at hand and what is known."),
  segment_tier: tier.describe("The tier of segments and their pages."),
  top_segments: z.int().min(1).describe("How many segments are looked into."),
  min_segment_score: z.number().describe("Only segments at least this near to the question (cosine)."),
  min_page_score: z.number().describe("Only pages at least this near to the question (cosine)."),
  max_pages: z.int().min(1).describe("How many of their pages stay, the nearest."),
  recent_tier: tier.nullable().describe("A tier whose pages are all handed out, too; null: none is."),
  knowledge: z
    .strictObject({
      tier: tier.describe("The tier of single knowledge."),
      top_k: z.int().min(1).describe("How many items of the user, and how many of the assistant."),
      min_score: z.number().describe("Only items at least this near to the question (cosine)."),
    })
    .nullable()
    .describe("Single knowledge of the user and of the assistant; null: none."),
});
type Options = z.infer<typeof segmentsOptions>;

export function segmentsClaims({ segment_tier, recent_tier, knowledge }: Options): Claims {
  const tiers = [segment_tier, recent_tier, knowledge?.tier].filter((name) => typeof name === "string");
  return {
    abilities: ["tiers", "vector"],
    tiers,
    asksQueryVector: true,
    hints: [
      { strategy: "semantic", names: ["tiers"] },
      { strategy: "structured", names: ["tiers"] },
    ],
  };
}

export async function mergeSegments(
  found: Found,
  { store, note }: PostRetrievalContext,
  options: Options,
): Promise<Found> {
  const { question } = found;
  // In a language that nobody embeds there is no nearness: what was found by words stays.
  if (question.queries.every(({ vectors }) => vectors.length === 0)) return withoutSegments(found);
  const look = lookIn(question, store);
  const { segment_tier, top_segments, min_segment_score } = options;
  const near = await look(segment_tier, top_segments, where.eq("kind", SEGMENT));
  const segments = near.filter(({ score }) => score >= min_segment_score);
  const matched = await pagesOf(segments, look, options);
  const pages = await withChains(matched.slice(0, options.max_pages), store, options);
  const known = new Set<string>(matched.map(({ id }) => id));
  const visited = segments.filter(({ sources }) => sources.some((id) => known.has(id)));
  const recent = await recentPages(question, look, store, options);
  const knowledge = await knowledgeOf(look, options);
  note("segments", { near: segments.length, visited: visited.length });
  note("pages", { matched: matched.length, kept: pages.length, recent: recent.length });
  note("knowledge", knowledge.length);
  const said = bestFirst(withNew(pages, recent));
  return { ...found, hits: [...said, ...knowledge, ...visited.map((one) => ({ ...one, text: "" }))] };
}

function withoutSegments(found: Found): Found {
  return { ...found, hits: found.hits.filter(({ kind }) => kind !== SEGMENT) };
}

type Look = (tier: string, topK: number, filter: Filter) => Promise<FoundHit[]>;

/** By meaning, with every query; what several found has the best of its scores. */
function lookIn({ queries, filter: asked }: Question, store: ReadHandle): Look {
  return async (tierName, topK, wanted) => {
    const filter = asked === undefined ? wanted : where.and(wanted, asked);
    const hints = { strategy: "semantic", tiers: [tierName] } as const;
    const lists = await Promise.all(
      queries
        .filter(({ vectors }) => vectors.length > 0)
        .map(({ text, vectors }) => store.retrieve({ text, vectors, filter, topK, hints })),
    );
    const hits = bestFirst(lists.flat().map(toFound));
    return withNew([], hits).slice(0, topK);
  };
}

/** Near enough, the nearest first; each with the score of the nearest segment it is of. */
async function pagesOf(
  segments: readonly FoundHit[],
  look: Look,
  { segment_tier, min_page_score }: Options,
): Promise<FoundHit[]> {
  const ids = [...new Set(segments.flatMap(({ sources }) => sources))];
  if (ids.length === 0) return [];
  const filter = where.and(where.not(where.eq("kind", SEGMENT)), where.in("id", ids));
  const near = await look(segment_tier, ids.length, filter);
  return near
    .filter(({ score }) => score >= min_page_score)
    .map((page) => {
      const segment = segments.find(({ sources }) => sources.includes(page.id))?.score ?? 0;
      return rescored(page, page.score, { segment });
    });
}

/** Pages of a chain that are looked through for its newest. */
const CHAIN_PAGES = 200;

async function withChains(
  pages: readonly FoundHit[],
  store: ReadHandle,
  { segment_tier }: Options,
): Promise<FoundHit[]> {
  const chains = [...new Set(pages.flatMap(({ metadata }) => textOf(metadata.chain_id) ?? []))];
  if (chains.length === 0) return [...pages];
  const others = await store.retrieve({
    filter: where.in("metadata.chain_id", chains),
    topK: CHAIN_PAGES,
    hints: { strategy: "structured", tiers: [segment_tier] },
  });
  const newest = new Map<string, string>();
  for (const { metadata } of oldestFirst(others)) {
    const [chain, summary] = [textOf(metadata.chain_id), textOf(metadata.chain_summary)];
    if (chain !== undefined && summary !== undefined) newest.set(chain, summary);
  }
  return pages.map((page) => {
    const summary = newest.get(textOf(page.metadata.chain_id) ?? "");
    return summary === undefined ? page : { ...page, metadata: { ...page.metadata, chain_summary: summary } };
  });
}

/** More than a first tier ever holds. */
const ALL = 1000;

async function recentPages(
  { filter }: Question,
  look: Look,
  store: ReadHandle,
  { recent_tier }: Options,
): Promise<FoundHit[]> {
  if (recent_tier === null) return [];
  const hints = { strategy: "structured", tiers: [recent_tier] } as const;
  const all = (await store.retrieve({ filter, topK: ALL, hints })).map(toFound);
  const near = await look(recent_tier, ALL, where.not(where.eq("kind", SEGMENT)));
  // What has no vector is at hand all the same, and behind what has.
  return withNew(
    near,
    all.map((hit) => rescored(hit, -1, { recent: 1 })),
  );
}

async function knowledgeOf(look: Look, { knowledge }: Options): Promise<FoundHit[]> {
  if (knowledge === null) return [];
  const { tier: tierName, top_k, min_score } = knowledge;
  const kinds = [USER_KNOWLEDGE, ASSISTANT_KNOWLEDGE];
  const lists = await Promise.all(kinds.map((kind) => look(tierName, top_k, where.eq("kind", kind))));
  return lists.flat().filter(({ score }) => score >= min_score);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
