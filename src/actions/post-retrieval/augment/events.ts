/** What happened lately? Entries of some kinds from before the question become the section "events", newest first. */
import { z } from "zod";
import { where } from "../../../base/filter.ts";
import type { PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";

import { toFound } from "../../../pipeline/question.ts";
import { momentStyle, printMoment } from "../print-moment.ts";

export const eventsOptions = z.strictObject({
  augment_type: z.literal("events").describe("What happened before the question: a section of its own."),
  kinds: z.array(z.string().min(1)).min(1).describe("The kinds of entries that count as events."),
  within_days: z
    .number()
    .positive()
    .nullable()
    .describe("Only what happened so many days before the question at most; null: whenever."),
  max_items: z.int().min(1).describe("How many events the section has at most, the newest."),
  date_style: momentStyle,
});
type Options = z.infer<typeof eventsOptions>;

const DAY_MS = 86_400_000;

export async function addEvents(
  found: Found,
  { store, note }: PostRetrievalContext,
  { kinds, within_days, max_items, date_style }: Options,
): Promise<Found> {
  const { at, zone, filter } = found.question;
  const since = within_days === null ? {} : { gte: at - within_days * DAY_MS };
  const wanted = [where.in("kind", kinds), where.range("happenedAt", { ...since, lte: at })];
  const entries = await store.retrieve({
    filter: where.and(...wanted, ...(filter === undefined ? [] : [filter])),
    topK: max_items,
    hints: { strategy: "structured" },
  });
  note("events", entries.length);
  const events = entries.map(toFound).map(({ text, happenedAt }) => {
    return `[${printMoment(happenedAt, text, { style: date_style, zone, now: at })}] ${text}`;
  });
  return { ...found, sections: { ...found.sections, events } };
}
