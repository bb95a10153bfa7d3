/**
 * Which known statements does a new one clash with, and how? Candidates go through a chain of detectors (C-10): the same
 * attribute of the same entity, similarity, polarity, and at last a model. The first three are rules and cost nothing; the
 * model is asked only about pairs that they suspect. What to do about a finding is decided elsewhere (conflict-resolution.ts).
 *
 * Candidates are those the caller chose, so a statement can only ever clash with what lies near it: an invalidation
 * that searches everything retires what it should not (graphiti#1728).
 */
import { detectConflict } from "../tasks/detect-conflict.ts";
import type { ConflictVerdict, Statement } from "../tasks/rules/conflict.ts";
import { runTask, type TaskOptions } from "../tasks/run-task.ts";
import { attributeKeys } from "./conflict-attribute.ts";
import { DETECTORS, type Verify } from "./conflict-detectors.ts";
import type { ConflictCandidate, ConflictOptions, DetectorName } from "./conflict-options.ts";

export interface ConflictFinding<Candidate> {
  readonly candidate: Candidate;
  readonly verdict: ConflictVerdict;
  /** Which detector had the last word. */
  readonly detector: DetectorName;
}

/** How the model is asked, if there is one; the rules answer where there is none. */
export type ConflictDeps = { readonly task: TaskOptions } | { readonly verify: Verify };

/** Every candidate that the new statement repeats, refines, updates or contradicts, in the candidates' order. */
export async function findConflicts<Candidate extends ConflictCandidate>(
  fresh: Statement,
  candidates: readonly Candidate[],
  options: ConflictOptions,
  deps: ConflictDeps,
): Promise<ConflictFinding<Candidate>[]> {
  if (options.require_attribute_key && attributeKeys(fresh).size === 0) return [];
  const found: ConflictFinding<Candidate>[] = [];
  for (const candidate of candidates) {
    const finding = await judge(fresh, candidate, options, deps);
    if (finding !== undefined && finding.verdict.kind !== "none") found.push(finding);
  }
  return found;
}

async function judge<Candidate extends ConflictCandidate>(
  fresh: Statement,
  candidate: Candidate,
  options: ConflictOptions,
  deps: ConflictDeps,
): Promise<ConflictFinding<Candidate> | undefined> {
  const verify: Verify =
    "verify" in deps ? deps.verify : (given) => runTask(detectConflict, given, deps.task);
  let finding: ConflictFinding<Candidate> | undefined;
  let isSuspect: boolean | undefined;
  for (const detector of options.detectors) {
    const step = await DETECTORS[detector]({
      fresh,
      candidate,
      options,
      verify,
      soFar: finding?.verdict,
      isSuspect,
    });
    isSuspect = step.isSuspect ?? isSuspect;
    if (step.verdict !== undefined) finding = { candidate, verdict: step.verdict, detector };
  }
  return finding;
}
