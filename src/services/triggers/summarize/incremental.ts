/** One running summary: the next is made from the one before and from what has come since, and takes its place. */
import { type Assignment, type Holdings, type Writing, writeFrom, writtenFor } from "./strategy.ts";

export const INCREMENTAL = "incremental";

export function assignIncremental(holdings: Holdings, writing: Writing): Assignment[] {
  const earlier = writtenFor(holdings, INCREMENTAL).at(-1);
  const known = new Set<string>(earlier?.sources);
  const fresh = holdings.originals.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return [];
  return [
    {
      cites: [...known, ...fresh.map(({ id }) => id)],
      sources: fresh,
      fresh: fresh.length,
      replaces: earlier === undefined ? [] : [earlier.id],
      metadata: { strategy: INCREMENTAL },
      write: () => writeFrom(writing, fresh, earlier?.content),
    },
  ];
}
