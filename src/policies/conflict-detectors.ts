/**
 * The links of the chain. Each sees what the ones before it found and may say nothing, give a verdict in place of theirs,
 * or make the pair more or less suspect. An attribute that clashes is certain enough for rules; likeness alone is only a
 * suspicion, which polarity or a model confirms or clears. If nobody comes after it, the suspicion is the verdict (S1-25).
 */
import type { MaybePromise } from "../base/promise.ts";
import {
  type ConflictVerdict,
  judgeByAttribute,
  judgeByPolarity,
  judgeByWords,
  judgeSameText,
  type Statement,
} from "../tasks/rules/conflict.ts";
import type { ConflictCandidate, ConflictOptions, DetectorName } from "./conflict-options.ts";

export interface DetectorInput {
  readonly fresh: Statement;
  readonly candidate: ConflictCandidate;
  readonly options: ConflictOptions;
  readonly verify: Verify;
  /** The verdict of the detectors before, if one of them gave one. */
  readonly soFar: ConflictVerdict | undefined;
  /** Whether the two are alike enough to be looked at; undefined if nobody measured. */
  readonly isSuspect: boolean | undefined;
}

/** Asks the task detect_conflict, and says whether a model answered. */
export type Verify = (given: {
  readonly new: Statement;
  readonly old: Statement;
}) => Promise<{ readonly reply: ConflictVerdict; readonly path: "model" | "local" }>;

export interface DetectorStep {
  /** In place of what was found before. */
  readonly verdict?: ConflictVerdict | undefined;
  readonly isSuspect?: boolean | undefined;
}

export type Detector = (input: DetectorInput) => MaybePromise<DetectorStep>;

export const DETECTORS: Readonly<Record<DetectorName, Detector>> = {
  attribute_key: byAttribute,
  similarity: bySimilarity,
  polarity: byPolarity,
  llm_verify: byModel,
};

/** Certain enough to stand whatever likeness says. */
const SURE = 0.8;

function byAttribute({ fresh, candidate }: DetectorInput): DetectorStep {
  const verdict = judgeByAttribute(fresh, candidate);
  return verdict === undefined ? {} : { verdict, isSuspect: verdict.kind !== "none" };
}

function bySimilarity({ fresh, candidate, options, soFar, isSuspect }: DetectorInput): DetectorStep {
  if (soFar !== undefined) return {};
  const same = judgeSameText(fresh, candidate);
  if (same !== undefined) return { verdict: same, isSuspect: true };
  const { similarity } = candidate;
  if (similarity === undefined) return {};
  // Strictly more, as the seed says.
  if (similarity <= options.similarity_threshold) return { isSuspect: isSuspect ?? false };
  const evidence = [`similarity ${similarity.toFixed(2)}`];
  return { verdict: { kind: "update", confidence: similarity / 2, evidence }, isSuspect: true };
}

function byPolarity({ fresh, candidate, soFar, isSuspect }: DetectorInput): DetectorStep {
  if (isSuspect === false || (soFar !== undefined && soFar.confidence >= SURE)) return {};
  const verdict = judgeByPolarity(fresh, candidate) ?? judgeByWords(fresh, candidate);
  if (verdict !== undefined) return { verdict, isSuspect: true };
  // Alike, but neither opposed nor the same: two things side by side. A model may still see more.
  return soFar === undefined ? {} : { verdict: { ...soFar, kind: "none" } };
}

async function byModel(input: DetectorInput): Promise<DetectorStep> {
  const { fresh, candidate, options, verify, soFar, isSuspect } = input;
  const isFirst = options.detectors[0] === "llm_verify";
  if (isSuspect !== true && !isFirst) return {};
  const { reply, path } = await verify({ new: fresh, old: candidate });
  // The rules have had their say; the model's place is not theirs to take.
  if (path === "local" && soFar !== undefined) return {};
  if (reply.confidence < options.min_confidence) return {};
  return { verdict: reply };
}
