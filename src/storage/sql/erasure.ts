/**
 * The right to be forgotten. Entries, or only vectors of them, go with everything the log of events keeps of them, so that
 * neither history nor undo can bring a word back. The events themselves stay, empty: indexes of other processes learn from
 * them what to drop.
 */
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Event } from "../event.ts";
import { keptVector } from "../kept.ts";
import type { CommitContext, LoggedChange, WriteOf } from "./commit-context.ts";
import { readEdgesOfAnyone, readEntriesOfAnyone, readOwners } from "./entry-reads.ts";
import { ownEntries, removeEntries } from "./entry-writes.ts";
import { eventFromRow, idOf, text } from "./rows.ts";

export async function eraseEntries(
  context: CommitContext,
  writes: readonly WriteOf<"entry-erase">[],
): Promise<void> {
  const { sql, words, scope } = context;
  const ids = writes.map(({ id }) => id);
  const there = await readEntriesOfAnyone(context, ids);
  const edges = await readEdgesOfAnyone(context, ids);
  // The removal itself is logged as a bare fact.
  const log = ({ before: _, after: __, ...fact }: LoggedChange): number => context.log(fact);
  await removeEntries(
    { ...context, log },
    ids.filter((id) => there.has(id)).map((id) => ({ id })),
  );
  await sql.run(
    `UPDATE events SET before_state = NULL, after_state = NULL WHERE ${words.oneOf("subject")} AND scope = ?`,
    [JSON.stringify(ids), scope],
  );
  // What others' links to it were called tells of it, too.
  const linking = edges.filter((edge) => !ids.includes(edge.from)).map(({ from }) => from);
  await sql.run(
    `UPDATE events SET before_state = NULL, after_state = NULL
      WHERE ${words.oneOf("subject")} AND scope = ? AND operation IN ('edge-put', 'edge-remove')`,
    [JSON.stringify(linking), scope],
  );
}

export async function eraseVectors(
  context: CommitContext,
  writes: readonly WriteOf<"vector-erase">[],
): Promise<void> {
  const { sql, words, scope } = context;
  const spacesOf = new Map<EntryId, readonly string[]>(writes.map(({ id, spaces }) => [id, spaces]));
  const ids = [...spacesOf.keys()];
  const there = await ownEntries(context, [...(await readOwners(context, ids)).keys()]);
  const stored = await sql.all(`SELECT entry_id, space FROM vectors WHERE ${words.oneOf("entry_id")}`, [
    JSON.stringify(ids),
  ]);
  const gone = stored
    .map((row) => ({ subject: idOf(row.entry_id), space: text(row.space) }))
    .filter(({ subject, space }) => spacesOf.get(subject)?.includes(space));
  for (const { subject, space } of gone) {
    const { collection = "" } = there.get(subject) ?? {};
    context.log({ operation: "vector-remove", collection, scope, subject, changed: [`vector:${space}`] });
  }
  await sql.many(
    "DELETE FROM vectors WHERE entry_id = ? AND space = ?",
    gone.map(({ subject, space }) => [subject, space]),
  );
  const kept = await sql.all(
    `SELECT * FROM events WHERE ${words.oneOf("subject")} AND scope = ? AND before_state IS NOT NULL
      AND operation IN ('vector-put', 'vector-remove', 'entry-remove')`,
    [JSON.stringify(ids), scope],
  );
  await sql.many(
    "UPDATE events SET before_state = ? WHERE seq = ?",
    kept.map(eventFromRow).map((event) => {
      const before = withoutVectors(event, spacesOf.get(event.subject) ?? []);
      return [before && JSON.stringify(before), event.seq];
    }),
  );
}

/** What an event keeps, without the vectors of these spaces. */
function withoutVectors({ operation, before }: Event, spaces: readonly string[]): JsonObject | null {
  if (before === null) return null;
  if (operation !== "entry-remove") return spaces.includes(keptVector(before).space) ? null : before;
  const vectors = Array.isArray(before.vectors) ? before.vectors : [];
  return { ...before, vectors: vectors.filter((one) => !spaces.includes(keptVector(one).space)) };
}
