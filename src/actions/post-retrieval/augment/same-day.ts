/**
 * A turn with what stood around it on its day (MemoryBank): those before and after join it, nearest first, as long as the
 * whole stays short. Hits whose turns meet become one text: the better one shows it, the other one nothing.
 */
import { z } from "zod";
import { where } from "../../../base/filter.ts";
import type { PostRetrievalContext, ReadHandle } from "../../../pipeline/action.ts";
import { type Found, type FoundHit, type Question, toFound } from "../../../pipeline/question.ts";
import { DAY } from "../../../text/time/calendar.ts";
import { instantOf, wallTime } from "../../../text/time/zone.ts";
import { oldestFirst } from "../found-hits.ts";

export const sameDayOptions = z.strictObject({
  augment_type: z.literal("same_day").describe("Shows each hit with its neighbours of the same day."),
  max_chars: z
    .int()
    .min(1)
    .describe(
      "Turns join a hit while the whole is at most so long; a longer hit stays as it is. Hits that meet become one text, however long.",
    ),
  time_zone: z.string().min(1).describe("Where days begin: an IANA name, UTC, or an offset."),
  derived_kinds: z
    .array(z.string().min(1))
    .describe("Kinds of entries that nobody said, as summaries: they have no neighbours and are none."),
});
type Options = z.infer<typeof sameDayOptions>;

/** A stretch of a day's turns: from the first to the last, both among them. */
interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** More than anybody says in a day. */
const MOST = 10_000;

export async function addSameDay(
  found: Found,
  { store, note }: PostRetrievalContext,
  options: Options,
): Promise<Found> {
  const isSaid = ({ kind, text }: FoundHit): boolean => text !== "" && !options.derived_kinds.includes(kind);
  const days = Map.groupBy(found.hits.filter(isSaid), ({ happenedAt }) => dayOf(happenedAt, options));
  const texts = new Map<string, string>();
  for (const [day, hits] of days) {
    const turns = await turnsOf(day, found.question, store, options);
    for (const [id, text] of mergeOnDay(hits, turns, options.max_chars)) texts.set(id, text);
  }
  note("merged", [...texts.values()].filter((text) => text === "").length);
  return { ...found, hits: found.hits.map((hit) => ({ ...hit, text: texts.get(hit.id) ?? hit.text })) };
}

function dayOf(at: number, { time_zone }: Options): number {
  return Math.floor(wallTime(at, time_zone) / DAY);
}

/** All that was said on a day, oldest first. */
async function turnsOf(
  day: number,
  { filter }: Question,
  store: ReadHandle,
  { time_zone, derived_kinds }: Options,
): Promise<FoundHit[]> {
  const [from, to] = [day, day + 1].map((number) => instantOf(number * DAY, time_zone));
  const wanted = [
    where.range("happenedAt", { gte: from, lt: to }),
    ...derived_kinds.map((kind) => where.not(where.eq("kind", kind))),
    ...(filter === undefined ? [] : [filter]),
  ];
  const hints = { strategy: "structured" } as const;
  const entries = await store.retrieve({ filter: where.and(...wanted), topK: MOST, hints });
  return oldestFirst(entries.map(toFound));
}

/** What each hit shows; `hits` come best first. */
function mergeOnDay(
  hits: readonly FoundHit[],
  turns: readonly FoundHit[],
  maxChars: number,
): Map<string, string> {
  const shown = new Map<string, Stretch>();
  for (const { id } of hits) {
    const place = turns.findIndex((turn) => turn.id === id);
    if (place >= 0) shown.set(id, widen(turns, place, maxChars));
  }
  const texts = new Map<string, string>();
  const taken = new Map<string, Stretch>();
  for (const [id, stretch] of shown) {
    const meeting = [...taken].filter(([, one]) => one.first <= stretch.last && stretch.first <= one.last);
    const [best = id] = meeting.map(([other]) => other);
    const whole = [stretch, ...meeting.map(([, one]) => one)];
    for (const other of [id, ...meeting.map(([one]) => one)]) {
      taken.delete(other);
      texts.set(other, "");
    }
    taken.set(best, {
      first: Math.min(...whole.map(({ first }) => first)),
      last: Math.max(...whole.map(({ last }) => last)),
    });
  }
  for (const [id, stretch] of taken) {
    const lines = turns.slice(stretch.first, stretch.last + 1).map(({ text }) => text);
    texts.set(id, lines.join("\n"));
  }
  return texts;
}

/** One after, one before, and so on, until the next would be too much. */
function widen(turns: readonly FoundHit[], place: number, maxChars: number): Stretch {
  const lengthAt = (at: number): number => turns[at]?.text.length ?? Number.POSITIVE_INFINITY;
  let [first, last, length] = [place, place, lengthAt(place)];
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    if (length + lengthAt(last + 1) <= maxChars) {
      length += lengthAt(++last);
      isGrowing = true;
    }
    if (length + lengthAt(first - 1) <= maxChars) {
      length += lengthAt(--first);
      isGrowing = true;
    }
  }
  return { first, last };
}
