/**
 * The three layers asked by themselves (S2-5, S2-20 … S2-22): by meaning for what was said in other words, by words for what
 * must be named, by facts for who, what, where and when. No plan, no reflection, no model.
 */
import { z } from "zod";
import { inSpaces } from "../../actions/pre-retrieval/vector-spaces.ts";
import { MemoryError } from "../../base/errors.ts";
import { type Filter, where } from "../../base/filter.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { Scope } from "../../base/scope.ts";
import type { ServiceQuery } from "../../services/service.ts";
import type { Running } from "../running.ts";
import { type MemoryEntry, memoryEntryOf } from "./memory-entry.ts";
import { endOf, type MomentInput, momentFrom, momentInput } from "./moment-input.ts";

export interface Conditions {
  /** Any of them. */
  readonly persons?: readonly string[] | undefined;
  /** Any of them. */
  readonly entities?: readonly string[] | undefined;
  /** A part of the place's name. */
  readonly location?: string | undefined;
  /** From and to, both included; a day, a month or a year lasts until it is over. */
  readonly timestampRange?: readonly [MomentInput, MomentInput] | undefined;
}

/** By nearness of meaning, nearest first. */
export async function semanticSearch(
  running: Running,
  scope: Scope,
  query: string,
  topK: number,
): Promise<MemoryEntry[]> {
  const text = parseInput(z.string(), query, "query");
  const { embedder } = running.design;
  if (embedder === undefined) {
    throw new MemoryError(
      "missing_dependency",
      "Nobody embeds, so nothing can be found by meaning. Valid: keywordSearch, structuredSearch, or an embedder.",
    );
  }
  const vectors = inSpaces(await embedder.embedQuery(text, { scope, spaces: "native" }), "native");
  if (vectors.length === 0) return [];
  return look(running, scope, { text, vectors, topK, hints: { strategy: "semantic" } });
}

/** By words: what holds any of the keywords, best first by BM25. */
export async function keywordSearch(
  running: Running,
  scope: Scope,
  keywords: readonly string[],
  topK: number,
): Promise<MemoryEntry[]> {
  const words = parseInput(z.array(z.string()), keywords, "keywords").filter((word) => word.trim() !== "");
  if (words.length === 0) return [];
  return look(running, scope, { topK, hints: { strategy: "lexical", keywords: words } });
}

/** By facts: all conditions hold, newest first; without a condition nothing does. */
export async function structuredSearch(
  running: Running,
  scope: Scope,
  { conditions, topK, zone }: { conditions: Conditions; topK: number; zone: string },
): Promise<MemoryEntry[]> {
  const filter = filterOf(parseInput(conditionsSchema, conditions, "conditions"), zone);
  if (filter === undefined) return [];
  return look(running, scope, { topK, filter, hints: { strategy: "structured" } });
}

const texts = z.array(z.string().min(1)).readonly();
const conditionsSchema = z.strictObject({
  persons: texts.optional(),
  entities: texts.optional(),
  location: z.string().optional(),
  timestampRange: z.tuple([momentInput, momentInput]).readonly().optional(),
});

function filterOf(
  { persons, entities, location, timestampRange }: Conditions,
  zone: string,
): Filter | undefined {
  const anyOf = (field: string, values: readonly string[] = []): Filter[] =>
    values.length === 0 ? [] : [where.or(...values.map((value) => where.contains(field, value)))];
  const filters = [
    ...anyOf("metadata.persons", persons),
    ...anyOf("metadata.entities", entities),
    ...anyOf("metadata.location", location === undefined || location === "" ? [] : [location]),
    ...(timestampRange === undefined ? [] : [within(timestampRange, zone)]),
  ];
  return filters.length === 0 ? undefined : where.and(...filters);
}

function within([from, to]: readonly [MomentInput, MomentInput], zone: string): Filter {
  return where.range("happenedAt", {
    gte: momentFrom(from, zone, "begin of timestampRange"),
    lte: endOf(to, zone, "end of timestampRange"),
  });
}

async function look({ design }: Running, scope: Scope, query: ServiceQuery): Promise<MemoryEntry[]> {
  const topK = parseInput(z.int().min(1), query.topK, "topK");
  return (await design.service.retrieve(scope, { ...query, topK })).map(memoryEntryOf);
}
