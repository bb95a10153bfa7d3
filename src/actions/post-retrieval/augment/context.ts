/** A memory with what was said around it: the lines before and after, in their order, become part of what is shown. */
import { z } from "zod";
import type { PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { aroundOptions, readAround } from "./around.ts";

export const contextOptions = z.strictObject({
  augment_type: z.literal("context").describe("Shows each hit with what was said around it."),
  ...aroundOptions,
  max_items: z.int().min(1).describe("How many lines on either side at most, the nearest."),
});

export async function addContext(
  found: Found,
  { store }: PostRetrievalContext,
  { max_items, ...around }: z.infer<typeof contextOptions>,
): Promise<Found> {
  const hits = await Promise.all(
    found.hits.map(async (hit) => {
      if (hit.text === "") return hit;
      const { before, after } = await readAround(hit, found.question, store, around);
      const lines = [...before.slice(-max_items), hit, ...after.slice(0, max_items)];
      return { ...hit, text: lines.map(({ text }) => text).join("\n") };
    }),
  );
  return { ...found, hits };
}
