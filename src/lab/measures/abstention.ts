/**
 * Does a memory know when it does not know? The area under the ROC curve of its confidence: how likely is it surer of a
 * question that can be answered than of one that cannot, each drawn by chance; equal confidence counts half. 0.5 is what a
 * memory gets that cannot tell at all. No threshold is chosen, so none can be fitted.
 *
 * It is the statistic of Mann and Whitney (1947); the interval draws both sides anew, each by itself, as `bootstrap.ts` does.
 */
import { seededRandom } from "../../base/random.ts";
import type { Estimate, QuestionLine } from "../result.ts";
import { DRAWS, middleOf } from "./bootstrap.ts";

/** null where there is no question of one kind. Who finds nothing is less sure than whoever finds anything. */
export function abstention(
  lines: readonly Pick<QuestionLine, "expects" | "confidence" | "error">[],
  seed: number,
  draws: number = DRAWS,
): Estimate | null {
  // A question that failed was not doubted but lost.
  const asked = lines.filter(({ error, confidence }) => error === undefined || confidence !== null);
  const ranks = ranksOf(asked.map(({ confidence }) => confidence ?? Number.NEGATIVE_INFINITY));
  const side = (expects: QuestionLine["expects"]): Uint32Array =>
    ranks.filter((_, place) => asked[place]?.expects === expects);
  const [known, unknown] = [side("answer"), side("abstain")];
  if (known.length === 0 || unknown.length === 0) return null;
  const levels = Math.max(...ranks) + 1;
  const random = seededRandom(seed);
  const redrawn = (ranked: Uint32Array): Uint32Array =>
    ranked.map(() => ranked[Math.floor(random.next() * ranked.length)] ?? 0);
  const drawn = Float64Array.from({ length: draws }, () => area(redrawn(known), redrawn(unknown), levels));
  return { mean: area(known, unknown, levels), ...middleOf(drawn), count: asked.length };
}

/** The place of each value among the distinct ones, from 0. */
function ranksOf(values: readonly number[]): Uint32Array {
  const distinct = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
  const rankOf = new Map(distinct.map((value, rank) => [value, rank]));
  return Uint32Array.from(values, (value) => rankOf.get(value) ?? 0);
}

/** Share of the pairs in which the known is the higher, and half of those in which both are the same. */
function area(known: Uint32Array, unknown: Uint32Array, levels: number): number {
  const knownAt = new Float64Array(levels);
  const unknownAt = new Float64Array(levels);
  for (const rank of known) knownAt[rank] = (knownAt[rank] ?? 0) + 1;
  for (const rank of unknown) unknownAt[rank] = (unknownAt[rank] ?? 0) + 1;
  let won = 0;
  let below = 0;
  for (let level = 0; level < levels; level++) {
    const [here, there] = [knownAt[level] ?? 0, unknownAt[level] ?? 0];
    won += here * (below + there / 2);
    below += there;
  }
  return won / (known.length * unknown.length);
}
