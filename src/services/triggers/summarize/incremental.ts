/**
 * One running summary: the next is made from the one before and from what has come since, cites both, and takes its place.
 * When something that it took up has been deleted, it is made anew from what is left, or the deleted would live on in it.
 */
import { ARCHIVED, type Entry } from "../../../base/entry.ts";
import { isEntryId } from "../../../base/ids.ts";
import { originsOf } from "../derived.ts";
import { type Assignment, type Holdings, type Writing, writeFrom, writtenFor } from "./strategy.ts";

export const INCREMENTAL = "incremental";

export async function assignIncremental(holdings: Holdings, writing: Writing): Promise<Assignment[]> {
  const earlier = writtenFor(holdings, INCREMENTAL).at(-1);
  const known = knownTo(earlier, holdings);
  const remade = earlier === undefined ? undefined : await remakeSources(holdings, known, writing);
  const sources = remade ?? holdings.originals.filter(({ id }) => !known.has(id));
  if (sources.length === 0) return [];
  const goesOn = remade === undefined ? earlier : undefined;
  return [
    {
      cites: [...(goesOn === undefined ? [] : [goesOn.id]), ...sources.map(({ id }) => id)],
      sources,
      fresh: sources.length,
      replaces: earlier === undefined ? [] : [earlier.id],
      metadata: { strategy: INCREMENTAL },
      write: () => writeFrom(writing, sources, goesOn?.content),
    },
  ];
}

function knownTo(earlier: Entry | undefined, { summaries }: Holdings): ReadonlySet<string> {
  if (earlier === undefined) return new Set();
  return originsOf(earlier, new Map(summaries.map((entry) => [entry.id, entry])));
}

/** What is left to make it from, oldest first, if something is gone; undefined if nothing is. */
async function remakeSources(
  { originals, summaries }: Holdings,
  known: ReadonlySet<string>,
  { context: { scope, store } }: Writing,
): Promise<Entry[] | undefined> {
  const current = new Set<string>(originals.map(({ id }) => id));
  const others = [...known].filter(isEntryId).filter((id) => !current.has(id));
  const found = await store.getMany(scope, others);
  if (found.every((entry) => entry !== undefined)) return undefined;
  // Of what left recall, only that whose place the running summary itself took.
  const chain = new Set<string>(summaries.map(({ id }) => id));
  const replaced = found.flatMap((entry) => {
    const isOurs = entry !== undefined && entry.supersededBy !== null && chain.has(entry.supersededBy);
    return isOurs && entry.tier !== ARCHIVED ? [entry] : [];
  });
  return [...replaced, ...originals].sort((a, b) => (a.id < b.id ? -1 : 1));
}
