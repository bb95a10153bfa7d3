/**
 * Does something newer stand on an event? An event stands until another takes it back, and again when that one is taken back
 * in turn. Looks stand on nothing. What others' scopes did is not told: a removal deals with it as any removal does.
 */
import type { EntryId } from "../../base/ids.ts";
import type { Json } from "../../base/json.ts";
import type { Event } from "../event.ts";
import type { CommitContext } from "./commit-context.ts";
import { eventFromRow } from "./rows.ts";

export interface Standing {
  /** What took the event back, and stands. */
  takenBackBy(event: Event): Event | undefined;
  /** What changed the same thing later, and stands. */
  on(event: Event): Event[];
}

/** Of events of the scope's own; all of them are about to be taken back together. */
export async function readStanding(context: CommitContext, events: readonly Event[]): Promise<Standing> {
  const subjects = [...new Set(events.map(({ subject }) => subject))];
  const oldest = Math.min(...events.map(({ seq }) => seq));
  const rows = await context.sql.all(
    `SELECT * FROM events WHERE ${context.words.oneOf("subject")} AND seq > ? AND scope = ?
      AND (operation <> 'entry-touch' OR undoes IS NOT NULL) ORDER BY seq`,
    [JSON.stringify(subjects), oldest, context.scope],
  );
  const later = rows.map(eventFromRow);
  const takers = Map.groupBy(later, ({ undoes }) => undoes);
  const takenBackBy = ({ seq }: Event): Event | undefined =>
    takers.get(seq)?.find((taker) => takenBackBy(taker) === undefined);
  const together = new Set(events.map(({ seq }) => seq));
  const bySubject = Map.groupBy(later, ({ subject }) => subject);
  return {
    takenBackBy,
    on: (event) =>
      (bySubject.get(event.subject) ?? []).filter(
        (one) =>
          one.seq > event.seq &&
          !together.has(one.seq) &&
          one.operation !== "entry-touch" &&
          // Taken back with what it takes back: the two of them are nothing.
          !(one.undoes !== null && one.undoes > event.seq) &&
          isSameThing(event, one) &&
          takenBackBy(one) === undefined,
      ),
  };
}

/** What holds a new entry in its place: the scope's own links that reach it, and what it has superseded. */
export async function readHolding(context: CommitContext, id: EntryId): Promise<number[]> {
  const { sql, scope } = context;
  const edges = await sql.all(
    "SELECT from_id, type FROM edges WHERE to_id = ? AND from_id <> ? AND scope = ?",
    [id, id, scope],
  );
  const replaced = await sql.all(
    "SELECT id FROM memory_records WHERE superseded_by = ? AND memory_scope = ?",
    [id, scope],
  );
  const holders = [
    ...edges.map((row) => ({ subject: String(row.from_id), is: { to: id, type: String(row.type) } })),
    ...replaced.map((row) => ({ subject: String(row.id), is: { supersededBy: id } })),
  ];
  const held: number[] = [];
  for (const { subject, is } of holders) {
    const rows = await sql.all(
      "SELECT * FROM events WHERE subject = ? AND scope = ? AND after_state IS NOT NULL ORDER BY seq DESC",
      [subject, scope],
    );
    const wanted: [string, Json][] = Object.entries(is);
    const event = rows
      .map(eventFromRow)
      .find(({ after }) => wanted.every(([name, value]) => after?.[name] === value));
    held.push(event?.seq ?? 0);
  }
  return held;
}

/** The newest thing that happened to an entry that is not there. */
export async function readLast(context: CommitContext, id: EntryId): Promise<number[]> {
  const rows = await context.sql.all(
    "SELECT seq FROM events WHERE subject = ? AND scope = ? ORDER BY seq DESC LIMIT 1",
    [id, context.scope],
  );
  return rows.map((row) => Number(row.seq));
}

function isSameThing(one: Event, other: Event): boolean {
  if (one.changed.includes("*") || other.changed.includes("*")) return true;
  if (!one.changed.includes("edges")) return one.changed.some((name) => other.changed.includes(name));
  const [edge, otherEdge] = [one.after ?? one.before, other.after ?? other.before];
  return edge !== null && edge.to === otherEdge?.to && edge.type === otherEdge?.type;
}
