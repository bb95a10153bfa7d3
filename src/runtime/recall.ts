/**
 * What does the memory know about it? As the design finds it, within limits the caller sets: how many, how many tokens, which
 * memories, from when to when; as of a moment in the world (`at`), or as the memory itself stood then (`knownAt`).
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { type Filter, parseFilter, where } from "../base/filter.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import { type Line, lineSchema, momentSchema } from "../tasks/dialogue.ts";
import { wallTime } from "../text/time/zone.ts";
import { pastOf } from "./past/past.ts";
import type { Running } from "./running.ts";
import { turnSources } from "./turn-sources.ts";

export interface RecallOptions {
  /** Most hits. @default the design's own */
  readonly limit?: number | undefined;
  /** Most tokens of all hits together; those that do not fit are left out, best first. */
  readonly budget?: number | undefined;
  readonly filter?: Filter | undefined;
  /** Only what happened in this span (epoch ms, both inclusive). */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** When the question is asked: "last week" is meant from here. @default `at`, else `knownAt`, else now */
  readonly asked?: number | undefined;
  /** @default UTC */
  readonly zone?: string | undefined;
  /** What was said just before, oldest first. */
  readonly talk?: readonly Line[] | undefined;
  /** As of then in the world: nothing that happened later, and what was replaced later stands again. */
  readonly at?: number | undefined;
  /** As the memory stood then: exactly what it would have answered. */
  readonly knownAt?: number | undefined;
  /** What was said that each hit comes from is looked up, too. @default false */
  readonly explain?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Recalled extends RetrieveResult {
  /** For each hit the turns it comes from, through whatever was derived between; null unless `explain` was asked for. */
  readonly turns: readonly (readonly Turn[])[] | null;
}

export const recallShape = {
  limit: z.number().int().min(1).optional(),
  budget: z.number().int().min(0).optional(),
  filter: z.unknown().optional(),
  from: momentSchema.optional(),
  to: momentSchema.optional(),
  asked: momentSchema.optional(),
  zone: z.string().optional(),
  talk: z.array(lineSchema).readonly().optional(),
  at: momentSchema.optional(),
  knownAt: momentSchema.optional(),
  explain: z.boolean().optional(),
  signal: z.instanceof(AbortSignal).optional(),
};
const optionsSchema = z.strictObject(recallShape);

export async function recall(
  running: Running,
  scope: Scope,
  text: string,
  options: RecallOptions = {},
): Promise<Recalled> {
  const given = parseInput(optionsSchema, options, "options of recall");
  const { limit, budget, asked, zone, talk, at, knownAt, explain, signal } = given;
  const filter = filterOf(options);
  // What is no zone is refused by every design, not only by those that read dates.
  if (zone !== undefined) wallTime(0, zone);
  const isPast = at !== undefined || knownAt !== undefined;
  const design = isPast ? await pastOf(running, scope, { at, knownAt }) : running.design;
  const found = await design.retrieve(
    scope,
    {
      text,
      topK: limit,
      room: { hits: limit, tokens: budget },
      filter,
      at: asked ?? at,
      zone,
      talk,
    },
    { signal },
  );
  return { ...found, turns: explain ? await turnSources(running.storage, scope, found.hits) : null };
}

/** The filter and the span as one. */
export function filterOf({
  filter,
  from,
  to,
}: Pick<RecallOptions, "filter" | "from" | "to">): Filter | undefined {
  if (from !== undefined && to !== undefined && from > to)
    throw new MemoryError(
      "input_invalid",
      `The span ends at ${to}, before it begins at ${from}. Valid: from ≤ to.`,
    );
  const span =
    from === undefined && to === undefined ? [] : [where.range("happenedAt", { gte: from, lte: to })];
  const all = [...(filter === undefined ? [] : [parseFilter(filter)]), ...span];
  return all.length > 1 ? where.and(...all) : all[0];
}
