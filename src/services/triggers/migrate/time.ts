/**
 * By time (LD-Agent): when a session is over, what it left in the first tier goes one tier on. A session ends where nothing
 * happened for longer than the gap, or when nothing has been inserted for so long. What happened is told by the
 * entries' own times, because a conversation may be replayed years later; silence is told by the clock. Summaries and
 * insights begin no session and end none: they go with the times they are about.
 */
import { z } from "zod";
import type { Entry } from "../../../base/entry.ts";
import { where } from "../../../base/filter.ts";
import { isDerived } from "../derived.ts";
import { ownEntries } from "../own-entries.ts";
import { type Migration, transformOptions } from "./migration.ts";

export const timeOptions = z.strictObject({
  migrate_policy: z.literal("time").describe("By sessions: the entries of one that is over."),
  session_gap_seconds: z.number().positive().describe("Silence after which a session is over, in seconds."),
  ...transformOptions,
});

export const time: Migration<z.infer<typeof timeOptions>> = {
  async plan(context, { session_gap_seconds }) {
    const [first, second] = context.traits.tiers;
    if (first === undefined || second === undefined) return { examined: 0, moves: [] };
    const entries = await ownEntries(context, where.eq("tier", first));
    const over = entriesOfPastSessions(entries, session_gap_seconds * 1000, context.deps.clock.now());
    return { examined: entries.length, moves: over.map(({ id }) => ({ id, from: first, to: second })) };
  },
};

function entriesOfPastSessions(entries: readonly Entry[], gapMs: number, now: number): readonly Entry[] {
  const said = entries
    .filter((entry) => !isDerived(entry))
    .toSorted((a, b) => a.happenedAt - b.happenedAt || (a.id < b.id ? -1 : 1));
  const newest = said.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0);
  if (now - newest > gapMs) return entries;
  const first = said.findLast(
    (entry, i) => i > 0 && entry.happenedAt - (said[i - 1]?.happenedAt ?? 0) > gapMs,
  );
  return first === undefined ? [] : entries.filter(({ happenedAt }) => happenedAt < first.happenedAt);
}
