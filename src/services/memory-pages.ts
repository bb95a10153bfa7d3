/**
 * Memory page by page, as MemGPT's search tools show it: messages that contain a text, newest first, and passages by
 * meaning where the query has a vector, else by words. They only look, through whatever may look: a service's own sweep or
 * the reading handle of a stage.
 */
import { z } from "zod";
import { where } from "../base/filter.ts";
import type { Hit } from "../base/hit.ts";
import type { Json } from "../base/json.ts";
import type { Vector } from "../base/vector.ts";
import { timestampOf } from "../tasks/dialogue.ts";
import type { ServiceQuery } from "./service.ts";

/** Kinds of entries that MemGPT's memory has beside messages. */
export const CORE_BLOCK = "core_block";
export const PASSAGE = "passage";
export const QUEUE_SUMMARY = "summary";

export interface Page {
  readonly hits: readonly Hit[];
  /** Whether there is another page. */
  readonly more: boolean;
}

export interface PageRequest {
  readonly tier: string;
  readonly query: string;
  /** From 0. */
  readonly page: number;
  readonly size: number;
}

/** As a model names it. Nobody pages further; and room for all pages before it is made at once. */
export const pageNumber = z.int().min(0).max(999).default(0);

type Retrieve = (query: ServiceQuery) => Promise<Hit[]>;

/** So many are read first, and then four times as many, until the page is full. */
const FIRST_READ = 64;

export async function pageOfMessages(
  retrieve: Retrieve,
  { tier, query, page, size }: PageRequest,
): Promise<Page> {
  const wanted = query.trim().toLowerCase();
  const filter = where.not(where.in("kind", [CORE_BLOCK, PASSAGE, QUEUE_SUMMARY]));
  for (let topK = FIRST_READ; ; topK *= 4) {
    const read = await retrieve({ filter, topK, hints: { strategy: "structured", tiers: [tier] } });
    const found = read.filter(({ content }) => content.toLowerCase().includes(wanted));
    if (read.length < topK || found.length > (page + 1) * size) return cut(found, page, size);
  }
}

export async function pageOfPassages(
  retrieve: Retrieve,
  { tier, query, page, size }: PageRequest,
  vectors: readonly Vector[] = [],
): Promise<Page> {
  const strategy = vectors.length > 0 ? "semantic" : "lexical";
  const found = await retrieve({
    text: query,
    vectors,
    filter: where.eq("kind", PASSAGE),
    topK: (page + 1) * size + 1,
    hints: { strategy, tiers: [tier] },
  });
  return cut(found, page, size);
}

/** As a tool gives it back. */
export function printPage({ hits, more }: Page): Json {
  return {
    results: hits.map(({ content, happenedAt }) => ({
      at: timestampOf({ happenedAt }) ?? "",
      text: content,
    })),
    more,
  };
}

function cut(found: readonly Hit[], page: number, size: number): Page {
  const end = (page + 1) * size;
  return { hits: found.slice(page * size, end), more: found.length > end };
}
