/**
 * Who is it? What entries tell about their speakers (`metadata.persona`, as `extract` reads it out of a dialogue) becomes a
 * section: all of it as "persona", or the traits of character alone as "traits" (LD-Agent). Newest first, each once, of what
 * the question may see: within its filter, and not from after it.
 */
import { z } from "zod";
import { where } from "../../../base/filter.ts";
import type { Hit } from "../../../base/hit.ts";
import type { PostRetrievalContext, ReadHandle } from "../../../pipeline/action.ts";
import type { Found, Question } from "../../../pipeline/question.ts";

const shared = {
  speakers: z
    .array(z.string().min(1))
    .min(1)
    .nullable()
    .describe("Only what is known of these speakers; null: of all."),
  max_entries: z.int().min(1).describe("How many entries are read for it at most, the newest."),
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
  options: Options,
): Promise<Found> {
  const { augment_type } = options;
  const lines = await readLines(found.question, store, options);
  note(augment_type, lines.length);
  return { ...found, sections: { ...found.sections, [augment_type]: lines } };
}

/** Most profiles are full long before all entries are read: so many are read first, and then four times as many. */
const FIRST_READ = 64;

async function readLines(question: Question, store: ReadHandle, options: Options): Promise<string[]> {
  const { filter, at } = question;
  const { max_entries, max_items } = options;
  const known = where.range("happenedAt", { lte: at });
  for (let depth = FIRST_READ; ; depth *= 4) {
    const topK = Math.min(depth, max_entries);
    const entries = await store.retrieve({
      filter: filter === undefined ? known : where.and(known, filter),
      topK,
      hints: { strategy: "structured" },
    });
    const lines = linesIn(entries, options);
    const isAll = entries.length < topK || topK === max_entries;
    if (isAll || lines.length >= max_items) return lines.slice(0, max_items);
  }
}

function linesIn(entries: readonly Hit[], { augment_type, speakers }: Options): string[] {
  const items = entries
    .flatMap(({ metadata }) => itemsSchema.parse(metadata.persona))
    .filter(({ speaker }) => speakers === null || speakers.includes(speaker))
    .filter(({ kind }) => augment_type === "persona" || kind === "trait");
  return [...new Set(items.map(({ speaker, text }) => `${speaker}: ${text}`))];
}
