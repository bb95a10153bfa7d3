/** Entries that belong beside every answer, whatever was found: the last turns, a profile, an overview, as a section. */
import { z } from "zod";
import { type Filter, where } from "../../../base/filter.ts";
import type { Claims, PostRetrievalContext } from "../../../pipeline/action.ts";
import { type Found, toFound } from "../../../pipeline/question.ts";
import { TEXT_SECTIONS } from "../format/text-sections.ts";
import { oldestFirst } from "../found-hits.ts";
import { momentStyle, printMoment } from "../print-moment.ts";

const names = z.array(z.string().min(1)).min(1).nullable();

export const sectionOptions = z.strictObject({
  augment_type: z.literal("section").describe("The newest entries of some kinds or tiers: a section."),
  section: z.enum(TEXT_SECTIONS).describe("The section's name."),
  kinds: names.describe("Only entries of these kinds; null: of all."),
  tiers: names.describe("Only entries of these tiers; null: of all."),
  max_items: z.int().min(1).describe("How many, the newest; they are shown oldest first."),
  date_style: momentStyle.nullable().describe("How each one's moment is written before it; null: not."),
});
type Options = z.infer<typeof sectionOptions>;

export function sectionClaims({ tiers }: Options): Claims {
  if (tiers === null) return { hints: [{ strategy: "structured", names: [] }] };
  return { abilities: ["tiers"], tiers, hints: [{ strategy: "structured", names: ["tiers"] }] };
}

/** Where a whole session has one moment, its last turns are told apart by their order: so many more are read. */
const SAME_MOMENT = 100;

export async function addSection(
  found: Found,
  { store, note }: PostRetrievalContext,
  { section, kinds, tiers, max_items, date_style }: Options,
): Promise<Found> {
  const { at, zone, filter } = found.question;
  const wanted: Filter[] = [
    where.range("happenedAt", { lte: at }),
    ...(kinds === null ? [] : [where.in("kind", kinds)]),
    ...(filter === undefined ? [] : [filter]),
  ];
  const entries = await store.retrieve({
    filter: where.and(...wanted),
    topK: max_items + SAME_MOMENT,
    hints: { strategy: "structured", ...(tiers === null ? {} : { tiers }) },
  });
  const newest = oldestFirst(entries).slice(-max_items);
  note(section, newest.length);
  const lines = newest.map(toFound).map(({ text, happenedAt }) => {
    if (date_style === null) return text;
    return `[${printMoment(happenedAt, text, { style: date_style, zone, now: at })}] ${text}`;
  });
  return { ...found, sections: { ...found.sections, [section]: lines } };
}
