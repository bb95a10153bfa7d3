/**
 * What does a new memory clash with, of what lies near it (C-10)? The chain of detectors as a preset writes it, and the two
 * statements as the detectors are shown them.
 */
import { z } from "zod";
import type { NewEntry } from "../../../base/entry.ts";
import type { Hit } from "../../../base/hit.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { Claims, PostInsertContext } from "../../../pipeline/action.ts";
import { type ConflictFinding, findConflicts } from "../../../policies/conflict.ts";
import { CONFLICT_DETECTORS } from "../../../policies/conflict-options.ts";
import { detectConflict } from "../../../tasks/detect-conflict.ts";
import type { Statement } from "../../../tasks/rules/conflict.ts";
import { NEAR_BY, type Round } from "./rounds.ts";

export const clashShape = {
  search: z
    .enum(NEAR_BY)
    .describe(
      "Whether memories near the new one are found by meaning or by words; words give no similarity.",
    ),
  topk: z.int().min(1).describe("How many memories near the new one are compared with it."),
  detectors: z
    .array(z.enum(CONFLICT_DETECTORS))
    .min(1)
    .describe("Who compares two statements, in this order; later ones see what earlier ones found."),
  similarity_threshold: z.number().min(0).max(1).describe("More alike than this is suspect."),
  require_attribute_key: z
    .boolean()
    .describe("Whether a statement that names no attribute of anybody clashes with nothing."),
  min_confidence: z.number().min(0).max(1).describe("A model's verdict counts from this confidence on."),
  prompt: z.string().min(1).describe("Id of the prompt that llm_verify asks with."),
};

const clashSchema = z.strictObject(clashShape);
export type ClashOptions = z.infer<typeof clashSchema>;

/** Words give no similarity, so that alone finds nothing by them. */
export function comparesEnough({ search, detectors }: Pick<ClashOptions, "search" | "detectors">): boolean {
  return search === "semantic" || detectors.some((one) => one !== "similarity");
}

export const NOT_ENOUGH = {
  path: ["detectors"],
  error: "must hold another than similarity, which words do not give, unless search is semantic",
};

export function clashClaims({ search, detectors, prompt }: ClashOptions): Claims {
  return {
    cycle: true,
    hints: [{ strategy: search, names: [] }],
    embedder: search === "semantic",
    prompts: detectors.includes("llm_verify") ? [{ task: detectConflict, prompt }] : [],
  };
}

export interface Candidate extends Statement {
  readonly hit: Hit;
}
export type Clash = ConflictFinding<Candidate>;

/** `given` may hold more than the chain. */
export function findClashes(round: Round, context: PostInsertContext, given: ClashOptions): Promise<Clash[]> {
  const { search, detectors, similarity_threshold, require_attribute_key, min_confidence, prompt } = given;
  const fresh = statementOf(round.draft);
  const candidates = round.near
    .map((hit) => ({
      ...statementOf(hit),
      hit,
      ...(search === "semantic" ? { similarity: hit.score } : {}),
    }))
    .filter((known) => !areOfThemselves(fresh, known));
  const chain = { detectors, similarity_threshold, require_attribute_key, min_confidence };
  return findConflicts(fresh, candidates, chain, {
    verify: (pair) => context.ask(detectConflict, pair, prompt),
  });
}

function statementOf({
  content,
  metadata,
  happenedAt,
}: Pick<NewEntry, "content" | "metadata" | "happenedAt">) {
  const speaker = typeof metadata?.speaker === "string" ? metadata.speaker : undefined;
  // Who speaks is told apart from what is said, or "I" in "Ada: I moved" would be nobody.
  const said = speaker !== undefined && content.startsWith(`${speaker}: `);
  return { text: said ? content.slice(speaker.length + 2) : content, speaker, happenedAt };
}

const FIRST_PERSON = /\b(?:I|me|my|mine|myself|we|our|ours|ourselves)\b|我|咱|本人/iu;
/** In capitals it is a country. */
const US = /\b[Uu]s\b/u;

/** Two people, each of whom may be "I": the same words then say different things. */
function areOfThemselves(fresh: Statement, known: Statement): boolean {
  if (fresh.speaker === undefined || known.speaker === undefined || fresh.speaker === known.speaker)
    return false;
  return [fresh, known].some(({ text }) => FIRST_PERSON.test(text) || US.test(text));
}

/** What the new one repeats, if it repeats one; else what it surest clashes with. */
export function surest(conflicts: readonly Clash[]): Clash | undefined {
  const repeated = conflicts.filter(({ verdict }) => verdict.kind === "duplicate");
  const among = repeated.length > 0 ? repeated : conflicts;
  return among.toSorted((a, b) => b.verdict.confidence - a.verdict.confidence)[0];
}

export function noteOfClash({ candidate, verdict, detector }: Clash): JsonObject {
  return {
    entry: candidate.hit.id,
    kind: verdict.kind,
    confidence: verdict.confidence,
    evidence: verdict.evidence,
    detector,
  };
}
