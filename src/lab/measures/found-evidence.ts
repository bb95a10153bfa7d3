/**
 * How much of what a question needs was found? Evidence is turns, and a hit stands for the turns it comes from. What is asked
 * of a question that names no evidence is null: it can neither be found nor missed.
 */
import type { SeenHit } from "../result.ts";

/** Share of `wanted` that is among `found`, 0 … 1; how often and in which order either names them does not matter. */
export function shareFound(found: readonly string[], wanted: readonly string[]): number | null {
  const missing = new Set(wanted);
  const all = missing.size;
  for (const one of found) missing.delete(one);
  return all === 0 ? null : (all - missing.size) / all;
}

/** 1 divided by the place of the first hit that comes from evidence; 0 where none does. */
export function reciprocalRank(hits: readonly SeenHit[], evidence: readonly string[]): number | null {
  if (evidence.length === 0) return null;
  const place = hits.findIndex(({ refs }) => refs.some((ref) => evidence.includes(ref)));
  return place < 0 ? 0 : 1 / (place + 1);
}

/** The turns of some hits, each once, best first. */
export function turnsOf(hits: readonly Pick<SeenHit, "refs">[]): string[] {
  return [...new Set(hits.flatMap(({ refs }) => refs))];
}

/** Their sessions, likewise; turns of no known session are passed over. */
export function sessionsOf(
  turns: readonly string[],
  sessionOf: (ref: string) => string | undefined,
): string[] {
  return [...new Set(turns.flatMap((ref) => sessionOf(ref) ?? []))];
}

/**
 * The hits that fit into so many tokens, best first. The first that does not fit ends it: were it passed over for shorter
 * ones behind it, more room could find less.
 */
export function hitsWithin<H extends Pick<SeenHit, "tokens">>(
  budget: number,
  hits: readonly H[],
): readonly H[] {
  let spent = 0;
  const end = hits.findIndex(({ tokens }) => {
    spent += tokens;
    return spent > budget;
  });
  return end < 0 ? hits : hits.slice(0, end);
}
