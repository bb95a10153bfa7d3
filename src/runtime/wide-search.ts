/**
 * Many candidates at once, as the design's service finds them, past the cuts that the design makes for a single answer: what
 * comprehensive and chained recall choose from. By meaning and words where the design has vectors, else by words alone.
 */
import { z } from "zod";
import { inSpaces } from "../actions/pre-retrieval/vector-spaces.ts";
import type { Hit } from "../base/hit.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import { type FoundHit, toFound } from "../pipeline/question.ts";
import { withinBudget } from "../pipeline/room.ts";
import type { OpenPreset } from "../preset/open.ts";
import { isNode } from "../services/graph/entity.ts";
import { CONTENT, spaceOf } from "../services/vector-fields.ts";
import { pastOf } from "./past/past.ts";
import { filterOf, type RecallOptions, recallShape } from "./recall.ts";
import type { Running } from "./running.ts";

/**
 * Nobody reads the question but the search: what was said before it, and where it is asked, tell it nothing. There is no room
 * for `explain` in a list of hits.
 */
export type WideOptions = Omit<RecallOptions, "zone" | "talk" | "explain">;

const { zone: _zone, talk: _talk, explain: _explain, ...shape } = recallShape;
export const wideShape = shape;

const questionSchema = z.string();

export function checkQuestion(question: string): string {
  return parseInput(questionSchema, question, "question");
}

export interface Candidates {
  readonly design: OpenPreset;
  /** Best first. */
  readonly hits: readonly FoundHit[];
  /** The moment to reckon ages from. */
  readonly now: number;
}

export async function findCandidates(
  running: Running,
  scope: Scope,
  question: string,
  pool: number,
  options: WideOptions,
): Promise<Candidates> {
  const { asked, at, knownAt, signal } = options;
  const text = checkQuestion(question);
  const filter = filterOf(options);
  const isPast = at !== undefined || knownAt !== undefined;
  const design = isPast ? await pastOf(running, scope, { at, knownAt }) : running.design;
  const now = asked ?? at ?? knownAt ?? running.clock.now();
  if (text.trim() === "") return { design, hits: [], now };
  const hits = await design.service.retrieve(scope, {
    text,
    vectors: await vectorsOf(design, scope, text, signal),
    topK: pool,
    filter,
    touch: false,
  });
  return { design, hits: hits.filter(({ kind }) => !isNode(kind)).map(toFound), now };
}

/** Counts the look at what is handed out, as many tokens of it as there is room for. */
export async function handOut(
  { design }: Candidates,
  scope: Scope,
  chosen: readonly FoundHit[],
  { budget }: WideOptions,
): Promise<readonly FoundHit[]> {
  const hits = budget === undefined ? chosen : withinBudget(chosen, budget);
  await design.service.touch(scope, hits);
  return hits;
}

/** The cosine of the question and the memory; undefined where they were not compared. */
export function similarityOf({ scoreParts }: Hit): number | undefined {
  const cosines = Object.entries(scoreParts).filter(
    ([part]) => part === "cosine" || part.endsWith(".cosine"),
  );
  return cosines.length === 0 ? undefined : Math.max(...cosines.map(([, value]) => value));
}

async function vectorsOf(
  { embedder, service }: OpenPreset,
  scope: Scope,
  text: string,
  signal: AbortSignal | undefined,
): Promise<Vector[]> {
  if (embedder === undefined || !service.traits.abilities.includes("vector")) return [];
  const all = await embedder.embedQuery(text, { scope, signal, spaces: "native" });
  return inSpaces(all, "native").map(({ space, values }) => ({ space: spaceOf(space, CONTENT), values }));
}
