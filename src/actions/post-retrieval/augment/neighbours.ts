/**
 * Entries just before and after a hit, as hits of their own behind it: what was answered to it, what it answered. What
 * another hit shows already is not added.
 */
import { z } from "zod";
import type { PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found, FoundHit } from "../../../pipeline/question.ts";
import { rescored } from "../found-hits.ts";
import { aroundOptions, readAround } from "./around.ts";

export const neighboursOptions = z.strictObject({
  augment_type: z.literal("neighbours").describe("Adds the entries before and after each hit as hits."),
  before: z.int().min(0).describe("How many entries before a hit."),
  after: z.int().min(0).describe("How many entries after a hit."),
  ...aroundOptions,
  score_factor: z
    .number()
    .min(0)
    .max(1)
    .describe("What a neighbour scores, as a part of the hit's own score."),
});

export async function addNeighbours(
  found: Found,
  { store, note }: PostRetrievalContext,
  { before, after, score_factor, ...options }: z.infer<typeof neighboursOptions>,
): Promise<Found> {
  const groups = await Promise.all(
    found.hits.map(async (hit): Promise<FoundHit[]> => {
      const around = await readAround(hit, found.question, store, options);
      const near = [
        ...around.before.slice(around.before.length - Math.min(before, around.before.length)),
        ...around.after.slice(0, after),
      ];
      // Below the hit also where its score is below zero.
      const score = hit.score > 0 ? hit.score * score_factor : hit.score;
      return near.map((one) => rescored(one, score, { neighbour: score }));
    }),
  );
  const own = new Set(found.hits.map(({ id }) => id));
  const shown = new Set(found.hits.map(({ text }) => text));
  const isNew = ({ id, text }: FoundHit): boolean => {
    const isShown = own.has(id) || shown.has(text);
    shown.add(text);
    return !isShown;
  };
  const hits = found.hits.flatMap((hit, place) => [hit, ...(groups[place] ?? []).filter(isNew)]);
  note("neighbours", hits.length - found.hits.length);
  return { ...found, hits };
}
