/** What the actions of this stage do to hits all the time: show them, score them anew, put them in order, add others. */
import type { Hit } from "../../base/hit.ts";
import type { FoundHit } from "../../pipeline/question.ts";

/** Those of which something is shown: what a summary stands for is found, but not said again. */
export function shownHits(hits: readonly FoundHit[]): FoundHit[] {
  return hits.filter(({ text }) => text !== "");
}

/** A new score, and what it is made of beside what is known already. */
export function rescored(hit: FoundHit, score: number, parts: FoundHit["scoreParts"]): FoundHit {
  return { ...hit, score, scoreParts: { ...hit.scoreParts, ...parts } };
}

/** Of equals the one that came first stays first. */
export function bestFirst(hits: readonly FoundHit[]): FoundHit[] {
  return [...hits].sort((a, b) => b.score - a.score);
}

/** Oldest happening first. */
export function oldestFirst<One extends Hit>(hits: readonly One[]): One[] {
  return [...hits].sort((a, b) => a.happenedAt - b.happenedAt || (a.id < b.id ? -1 : 1));
}

/** Those that are not there yet go behind, in their order. */
export function withNew(hits: readonly FoundHit[], more: readonly FoundHit[]): FoundHit[] {
  const known = new Map(hits.map((hit) => [hit.id, hit]));
  for (const hit of more) if (!known.has(hit.id)) known.set(hit.id, hit);
  return [...known.values()];
}
