/**
 * What is always in view, whatever was asked (MemGPT's core memory): the current entries of some kinds, put before
 * everything that was found. A block with a label shows it.
 */
import { z } from "zod";
import { where } from "../../../base/filter.ts";
import type { PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found, FoundHit } from "../../../pipeline/question.ts";
import { toFound } from "../../../pipeline/question.ts";
import { oldestFirst, rescored } from "../found-hits.ts";

export const standingOptions = z.strictObject({
  augment_type: z.literal("standing").describe("Puts entries that are always in view before the hits."),
  kinds: z
    .array(z.string().min(1))
    .min(1)
    .describe("The kinds of these entries, in the order they are shown."),
  max_items: z.int().min(1).describe("How many of them at most, the newest of each kind."),
});

export async function addStanding(
  found: Found,
  { store, note }: PostRetrievalContext,
  { kinds, max_items }: z.infer<typeof standingOptions>,
): Promise<Found> {
  const { filter } = found.question;
  const groups = await Promise.all(
    kinds.map(async (kind) => {
      const wanted = where.eq("kind", kind);
      const entries = await store.retrieve({
        filter: filter === undefined ? wanted : where.and(wanted, filter),
        topK: max_items,
        hints: { strategy: "structured" },
      });
      return oldestFirst(entries);
    }),
  );
  // Nothing below them may score more: their place is the first.
  const score = Math.max(1, ...found.hits.map((hit) => hit.score));
  const standing = groups.flat().slice(0, max_items).map(toFound);
  const shown = standing.map((hit) => labelled(rescored(hit, score, { standing: 1 })));
  note("standing", shown.length);
  const ids = new Set(shown.map(({ id }) => id));
  return { ...found, hits: [...shown, ...found.hits.filter(({ id }) => !ids.has(id))] };
}

function labelled(hit: FoundHit): FoundHit {
  const { label } = hit.metadata;
  return typeof label === "string" ? { ...hit, text: `${label}: ${hit.text.replaceAll("\n", "; ")}` } : hit;
}
