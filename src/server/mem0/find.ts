/** Searches and lists of memories as mem0 gives them, within what its filters ask for. */
import type { Entry } from "../../base/entry.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { Memory } from "../../runtime/memory.ts";
import { type Entities, joined, refuseNobody } from "./entities.ts";
import { type Condition, type FilterRules, readFilters } from "./filters.ts";
import { type MemoryView, viewsOf } from "./memory-view.ts";
import type { Mem0List, Mem0Search } from "./requests.ts";

export interface Wanted {
  readonly entities: Entities;
  readonly matches: Condition | undefined;
}

/** All that a request says about which memories it means. */
export function wantedBy(given: Mem0Search | Mem0List, rules: FilterRules): Wanted {
  const { user_id, agent_id, app_id, run_id, metadata } = given;
  const named = { user_id, agent_id, app_id, run_id };
  const asked = readFilters(given.filters, rules);
  // What stands beside the filters is meant like what stands in them.
  const labels = Object.fromEntries(Object.entries(named).filter(([, id]) => typeof id === "string"));
  const dates = "start_date" in given || "end_date" in given ? span(given.start_date, given.end_date) : {};
  const beside = readFilters({ ...labels, ...dates, ...(metadata ? { metadata } : {}) }, rules);
  const entities = joined(asked.entities, beside.entities);
  refuseNobody(entities);
  const all = [asked.matches, beside.matches].filter((one) => one !== undefined);
  return { entities, matches: all.length === 0 ? undefined : (view) => all.every((holds) => holds(view)) };
}

function span(from: string | null | undefined, to: string | null | undefined): JsonObject {
  const bounds = { ...(from ? { gte: from } : {}), ...(to ? { lte: to } : {}) };
  return Object.keys(bounds).length === 0 ? {} : { created_at: bounds };
}

export type ScoredView = MemoryView & { readonly score: number };

/** More than anybody asks for; beyond so many hits nothing is looked for that a filter might let through. */
const MOST_HITS = 10_000;
const USUAL = 10;

export async function search(
  memory: Memory,
  given: Mem0Search,
  { matches }: Wanted,
  { isNamed, signal }: { readonly isNamed: boolean; readonly signal: AbortSignal },
): Promise<ScoredView[]> {
  const most = given.top_k ?? given.limit ?? USUAL;
  const asked = given.reference_date ?? undefined;
  // What a filter leaves out is made up for by looking further.
  for (let limit = matches === undefined ? most : most * 5; ; limit *= 5) {
    const { hits } = await memory.recall(given.query, { limit: Math.min(limit, MOST_HITS), asked, signal });
    const views = await viewsOf(memory, hits, isNamed);
    const scored = views.map((view, place) => ({ ...view, score: hits[place]?.score ?? 0 }));
    const found = matches === undefined ? scored : scored.filter(matches);
    if (found.length >= most || hits.length < limit || limit >= MOST_HITS) return found.slice(0, most);
  }
}

export interface Listed {
  readonly count: number;
  readonly views: readonly MemoryView[];
}

/** In the order they were stored. */
export async function list(
  memory: Memory,
  { matches }: Wanted,
  { page, size, isNamed }: { readonly page: number; readonly size: number; readonly isNamed: boolean },
): Promise<Listed> {
  const [from, to] = [(page - 1) * size, page * size];
  const views: MemoryView[] = [];
  let count = 0;
  for await (const entries of pagesOf(memory)) {
    // Without a filter only those are looked at more closely that are shown.
    const near =
      matches === undefined ? entries.slice(Math.max(0, from - count), Math.max(0, to - count)) : entries;
    const shown = await viewsOf(memory, near, isNamed);
    if (matches === undefined) {
      views.push(...shown);
      count += entries.length;
      continue;
    }
    for (const view of shown.filter(matches)) {
      if (count >= from && count < to) views.push(view);
      count++;
    }
  }
  return { count, views };
}

async function* pagesOf(memory: Memory): AsyncGenerator<readonly Entry[]> {
  for (let after: string | undefined; ; ) {
    const { entries, next } = await memory.list({ after, limit: 1000 });
    yield entries;
    if (next === null) return;
    after = next;
  }
}

/** Only these fields of each, where they were named. */
export function withFields(
  views: readonly (MemoryView | ScoredView)[],
  fields: readonly string[] | null | undefined,
): readonly JsonObject[] {
  const all = views.map((view): { readonly [name: string]: Json } => ({ ...view }));
  if (fields === null || fields === undefined) return all;
  const known = Object.keys(all[0] ?? {});
  const unknown = all.length === 0 ? undefined : fields.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new MemoryError(
      "input_invalid",
      `A memory has no field "${unknown.slice(0, 40)}". Valid: ${known.join(", ")}.`,
    );
  return all.map((view) => Object.fromEntries(fields.map((name) => [name, view[name] ?? null])));
}
