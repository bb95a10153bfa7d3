/** The widest look (B.3): many candidates, those alike enough, what was remembered in passing damped by its age. */
import { z } from "zod";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { FoundHit } from "../pipeline/question.ts";
import type { Running } from "./running.ts";
import { findCandidates, handOut, similarityOf, type WideOptions, wideShape } from "./wide-search.ts";

/** All of these are B.3's. */
const LIMIT = 10;
const LEAST_POOL = 100;
const POOL_PER_HIT = 10;
/** Less alike than this is not handed out; what was found by words alone was not compared. */
const LEAST_SIMILARITY = 0.5;
const DAMPING_PER_DAY = 0.05;
const DAY_MS = 86_400_000;

const optionsSchema = z.strictObject(wideShape);

export async function comprehensiveRecall(
  running: Running,
  scope: Scope,
  question: string,
  options: WideOptions = {},
): Promise<readonly FoundHit[]> {
  parseInput(optionsSchema, options, "options of comprehensiveRecall");
  const { limit = LIMIT } = options;
  const pool = Math.max(LEAST_POOL, POOL_PER_HIT * limit);
  const candidates = await findCandidates(running, scope, question, pool, options);
  const chosen = candidates.hits
    .filter((hit) => (similarityOf(hit) ?? 1) >= LEAST_SIMILARITY)
    .map((hit) => damped(hit, candidates.now))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
  return handOut(candidates, scope, chosen, options);
}

/** What was remembered on purpose keeps its score. */
function damped(hit: FoundHit, now: number): FoundHit {
  if (hit.pinned) return hit;
  const days = Math.max(0, now - hit.createdAt) / DAY_MS;
  const damping = 1 / (1 + DAMPING_PER_DAY * days);
  return { ...hit, score: hit.score * damping, scoreParts: { ...hit.scoreParts, damping } };
}
