/**
 * Who is spoken with, and how to answer them? The portraits that summaries of days and of everything carry (MemoryBank)
 * become the section "portrait": of each person the one of the longest span, and of equals the newest.
 */
import { z } from "zod";
import type { Entry } from "../../../base/entry.ts";
import { where } from "../../../base/filter.ts";
import type { Json } from "../../../base/json.ts";
import type { PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { type Portrait, portraitsIn } from "../../../services/triggers/summarize/portrait.ts";
import { WINDOWS } from "../../../services/triggers/summarize/windows.ts";
import { detectLanguage } from "../../../text/language.ts";

export const portraitOptions = z.strictObject({
  augment_type: z
    .literal("portrait")
    .describe("Who the speakers are and how to answer them, as summaries tell it: a section of its own."),
  kinds: z.array(z.string().min(1)).min(1).describe("The kinds of entries that carry portraits."),
  max_entries: z.int().min(1).describe("How many of them are read at most, the newest."),
});

export async function addPortraits(
  found: Found,
  { store, note }: PostRetrievalContext,
  { kinds, max_entries }: z.infer<typeof portraitOptions>,
): Promise<Found> {
  const { at, filter } = found.question;
  const wanted = [where.in("kind", kinds), where.range("happenedAt", { lte: at })];
  const entries = await store.retrieve({
    filter: where.and(...wanted, ...(filter === undefined ? [] : [filter])),
    topK: max_entries,
    hints: { strategy: "structured" },
  });
  const portraits = longestPortraits(entries);
  note("portraits", portraits.length);
  const lines = portraits.flatMap(({ portrait }) => printPortrait(portrait));
  return { ...found, sections: { ...found.sections, portrait: lines } };
}

/** Of each person one portrait, with the entry that carries it: that of the longest span, and of equals the first given. */
export function longestPortraits(
  entries: readonly Entry[],
): { readonly entry: Entry; readonly portrait: Portrait }[] {
  const ranked = entries.toSorted((a, b) => lengthOf(b.metadata.window) - lengthOf(a.metadata.window));
  const chosen = new Map<string, { readonly entry: Entry; readonly portrait: Portrait }>();
  for (const entry of ranked)
    for (const portrait of portraitsIn(entry.metadata))
      if (!chosen.has(portrait.speaker)) chosen.set(portrait.speaker, { entry, portrait });
  return [...chosen.values()];
}

/** The longest comes last. */
const BY_LENGTH: readonly string[] = WINDOWS;

function lengthOf(window: Json | undefined): number {
  return BY_LENGTH.indexOf(String(window));
}

export function printPortrait({ speaker, personality, strategy }: Portrait): string[] {
  const advice = detectLanguage(strategy) === "zh" ? `与${speaker}交谈：` : `Talking with ${speaker}: `;
  return [`${speaker}: ${personality}`, `${advice}${strategy}`];
}
