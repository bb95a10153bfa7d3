/** Single memories by id, and all of them page by page. */
import { z } from "zod";
import { ARCHIVED, type Entry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import { type Filter, parseFilter, where } from "../base/filter.ts";
import { type EntryId, parseEntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import { memoriesOnly } from "../services/graph/entity.ts";
import type { Running } from "./running.ts";

export interface ListOptions {
  readonly filter?: Filter | undefined;
  /** What the page before gave as `next`. */
  readonly after?: string | undefined;
  /** 1 to 1000. @default 100 */
  readonly limit?: number | undefined;
  /** Those that were replaced or archived, too. @default false */
  readonly all?: boolean | undefined;
}

export interface Page {
  /** In the order they were stored. */
  readonly entries: readonly Entry[];
  /** Hand it in for the next page; null: that was the last. */
  readonly next: string | null;
}

const optionsSchema = z.strictObject({
  filter: z.custom<Filter>().optional(),
  after: z.string().optional(),
  limit: z.int().min(1).max(1000).optional(),
  all: z.boolean().optional(),
});

/** What recall may find: neither replaced nor archived. */
export const currentOnly: Filter = where.and(
  memoriesOnly,
  where.eq("supersededBy", null),
  where.not(where.eq("tier", ARCHIVED)),
);

export async function get(running: Running, scope: Scope, id: string): Promise<Entry> {
  return entryOf(running, scope, parseEntryId(id));
}

/** The entry of an id that was read already. */
export async function entryOf({ storage, design }: Running, scope: Scope, id: EntryId): Promise<Entry> {
  const [entry] = await storage.entries(scope, design.service.collection, [id]);
  if (entry !== undefined) return entry;
  throw new MemoryError(
    "entry_not_found",
    `There is no memory ${id} that the scope "${scope}" sees in this design. Valid: the id of a hit or of a page of list().`,
  );
}

export async function list(
  { storage, design }: Running,
  scope: Scope,
  options: ListOptions = {},
): Promise<Page> {
  const { filter, after, limit = 100, all = false } = parseInput(optionsSchema, options, "options of list");
  const shown = all ? memoriesOnly : currentOnly;
  // One more than is shown tells whether there is another page.
  const found = await storage.scan(scope, {
    collection: design.service.collection,
    filter: filter === undefined ? shown : where.and(shown, parseFilter(filter)),
    after: after === undefined ? undefined : parseEntryId(after),
    limit: limit + 1,
    own: true,
  });
  const entries = found.slice(0, limit);
  return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
