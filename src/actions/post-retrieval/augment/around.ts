/**
 * What stands around a memory in time: what was said in the same session (in any, where it has none) within some minutes.
 * Several entries read out of one saying show the same text; it stands there once.
 */
import { z } from "zod";
import { where } from "../../../base/filter.ts";
import type { Hit } from "../../../base/hit.ts";
import type { ReadHandle } from "../../../pipeline/action.ts";
import type { FoundHit, Question } from "../../../pipeline/question.ts";
import { toFound } from "../../../pipeline/question.ts";
import { oldestFirst } from "../found-hits.ts";

export const aroundOptions = {
  within_minutes: z.number().positive().describe("How far away in time they may be."),
  derived_kinds: z
    .array(z.string().min(1))
    .describe("Kinds of entries that nobody said, as summaries: they stand around nothing."),
};
type AroundOptions = z.infer<z.ZodObject<typeof aroundOptions>>;

export interface Around {
  /** Nearest last. */
  readonly before: readonly FoundHit[];
  /** Nearest first. */
  readonly after: readonly FoundHit[];
}

const MINUTE_MS = 60_000;
/** More than anybody says in the minutes around one memory. */
const MOST = 1000;

export async function readAround(
  hit: FoundHit,
  { filter }: Question,
  store: ReadHandle,
  { within_minutes, derived_kinds }: AroundOptions,
): Promise<Around> {
  if (derived_kinds.includes(hit.kind)) return { before: [], after: [] };
  const { session } = hit.metadata;
  const window = {
    gte: hit.happenedAt - within_minutes * MINUTE_MS,
    lte: hit.happenedAt + within_minutes * MINUTE_MS,
  };
  const wanted = [
    where.range("happenedAt", window),
    ...(typeof session === "string" ? [where.eq("metadata.session", session)] : []),
    ...(derived_kinds.length === 0 ? [] : [where.not(where.in("kind", derived_kinds))]),
    ...(filter === undefined ? [] : [filter]),
  ];
  const near = await store.retrieve({
    filter: where.and(...wanted),
    topK: MOST,
    hints: { strategy: "structured" },
  });
  const isBefore = (one: Hit): boolean =>
    one.happenedAt < hit.happenedAt || (one.happenedAt === hit.happenedAt && one.id < hit.id);
  const others = distinct(oldestFirst(near.map(toFound)), hit);
  return { before: others.filter(isBefore), after: others.filter((one) => !isBefore(one)) };
}

/** Each text once, and not what the hit itself says. */
function distinct(others: readonly FoundHit[], hit: FoundHit): FoundHit[] {
  const seen = new Set([hit.text, toFound(hit).text]);
  return others.filter(({ id, text }) => {
    const isNew = id !== hit.id && !seen.has(text);
    seen.add(text);
    return isNew;
  });
}
