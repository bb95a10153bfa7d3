/**
 * Does the memory hold what is asked? How likely that is, from three signs of what was found (docs/flagship.md tells how well
 * they do):
 *
 *     nearness = the cosine of the nearest memory
 *     missing  = the share of the question's words that the best memory by words does not hold
 *     behind   = how much less than `lead` those whom the question names are ahead of all others, by their best turns
 *     confidence = 1 / (1 + e^−(base + nearness·w − missing·w − behind·w))
 *
 * The last is for what was said, but of or by somebody else: asked about Mia's dog, a memory of Tom's dog is near and holds
 * every word but one. A sign that cannot be read is 0: nothing to doubt.
 */
import { z } from "zod";

const weight = z.number().min(0).max(100);

export const confidenceOptions = z.strictObject({
  base: z.number().min(-100).max(100).describe("Where no sign says anything: the logarithm of the odds."),
  nearness: weight.describe("What the cosine of the nearest memory counts."),
  missing: weight.describe("What is lost where no word of the question stands in the best memory by words."),
  behind: weight.describe(
    "What is lost per point that the turns of whom the question names stay behind the others'.",
  ),
  lead: z.number().min(0).max(2).describe("How far ahead they must be for no doubt."),
  spaces: z
    .array(z.string())
    .describe("Embedders whose cosines these numbers were chosen for; with others nothing is said."),
});
export type ConfidenceOptions = Readonly<z.infer<typeof confidenceOptions>>;

/** What speaks for and against that an answer is there. */
export interface ConfidenceSigns {
  readonly nearness: number;
  readonly missing: number;
  readonly behind: number;
}

/** 0 to 1. */
export function confidenceFrom(signs: ConfidenceSigns, options: ConfidenceOptions): number {
  const { base, nearness, missing, behind } = options;
  const odds = base + nearness * signs.nearness - missing * signs.missing - behind * signs.behind;
  return 1 / (1 + Math.exp(-odds));
}

/** The share of the words asked for, each counted once, that are not among those held; 0 where none is asked for. */
export function missingWords(asked: readonly string[], held: ReadonlySet<string>): number {
  const words = new Set(asked);
  if (words.size === 0) return 0;
  return [...words].filter((word) => !held.has(word)).length / words.size;
}

/** A turn among the candidates: how well it fits, whoever said it. */
export interface SaidTurn {
  readonly fit: number;
  /** By the one whom the question names, or a sentence about them. */
  readonly isByNamed: boolean;
  /** What only asks tells nothing. */
  readonly isQuestion: boolean;
}

/** So many turns of each side are looked at: one that fits by chance has no company. */
const LOOKED_AT = 3;

/** 0 where only one side said anything. */
export function behindOthers(turns: readonly SaidTurn[], lead: number): number {
  const ofSide = (isByNamed: boolean): readonly SaidTurn[] =>
    turns.filter((one) => one.isByNamed === isByNamed);
  const [named, others] = [ofSide(true), ofSide(false)];
  // As many of one as of the other: a mean of more turns reaches further down.
  const count = Math.min(LOOKED_AT, named.length, others.length);
  if (count === 0) return 0;
  const least = Math.min(...turns.map(({ fit }) => fit));
  return Math.max(0, lead - (bestMean(named, count, least) - bestMean(others, count, least)));
}

/** A turn that only asks counts as the least that was found. */
function bestMean(turns: readonly SaidTurn[], count: number, least: number): number {
  const fits = turns.map(({ fit, isQuestion }) => (isQuestion ? least : fit)).sort((a, b) => b - a);
  return fits.slice(0, count).reduce((sum, fit) => sum + fit, 0) / count;
}
