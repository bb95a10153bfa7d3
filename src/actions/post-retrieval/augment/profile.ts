/**
 * Who is it? What entries tell about their speakers (`metadata.persona`, as `extract` reads it out of a dialogue) becomes a
 * section: all of it as "persona", or the traits of character alone as "traits" (LD-Agent). Newest first, each once.
 */
import { z } from "zod";
import type { PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";

const shared = {
  speakers: z
    .array(z.string().min(1))
    .min(1)
    .nullable()
    .describe("Only what is known of these speakers; null: of all."),
  max_entries: z.int().min(1).describe("How many entries are read for it, the newest."),
  max_items: z.int().min(1).describe("How many items the section has at most, the newest."),
};

export const personaOptions = z.strictObject({
  augment_type: z.literal("persona").describe("All that is known of who speakers are: a section of its own."),
  ...shared,
});

export const traitsOptions = z.strictObject({
  augment_type: z.literal("traits").describe("The speakers' traits of character: a section of its own."),
  ...shared,
});

type Options = z.infer<typeof personaOptions> | z.infer<typeof traitsOptions>;

const itemsSchema = z.array(z.object({ speaker: z.string(), kind: z.string(), text: z.string() })).catch([]);

export async function addProfile(
  found: Found,
  { store, note }: PostRetrievalContext,
  { augment_type, speakers, max_entries, max_items }: Options,
): Promise<Found> {
  const entries = await store.retrieve({ topK: max_entries, hints: { strategy: "structured" } });
  const items = entries
    .flatMap(({ metadata }) => itemsSchema.parse(metadata.persona))
    .filter(({ speaker }) => speakers === null || speakers.includes(speaker))
    .filter(({ kind }) => augment_type === "persona" || kind === "trait")
    .map(({ speaker, text }) => `${speaker}: ${text}`);
  const lines = [...new Set(items)].slice(0, max_items);
  note(augment_type, lines.length);
  return { ...found, sections: { ...found.sections, [augment_type]: lines } };
}
