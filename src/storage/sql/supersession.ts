/**
 * Who took whose place. The one who did is current when it does so: so there are no circles, and nothing is out of recall
 * for an entry that is not in it. When it is removed, what it had replaced is current again, or passes on to the entry
 * that had replaced it in turn.
 */
import type { Entry } from "../../base/entry.ts";
import { MemoryError } from "../../base/errors.ts";
import type { EntryId } from "../../base/ids.ts";
import { canSee } from "../../base/scope.ts";
import { type CommitContext, notFound } from "./commit-context.ts";
import { readEntriesOfAnyone } from "./entry-reads.ts";
import { idOf, scopeOf, text, toSeconds } from "./rows.ts";

/** The entries that are named as having replaced another. */
export function readSuperseders(
  context: CommitContext,
  named: readonly (EntryId | null | undefined)[],
): Promise<ReadonlyMap<EntryId, Entry>> {
  const ids = new Set(named.filter((id) => id !== null && id !== undefined));
  return ids.size === 0 ? Promise.resolve(new Map()) : readEntriesOfAnyone(context, [...ids]);
}

/** `find` gives an entry as it stands now. */
export function checkSuperseder(
  context: CommitContext,
  after: Entry,
  find: (id: EntryId) => Entry | undefined,
): void {
  const { id, collection, supersededBy } = after;
  if (supersededBy === null) return;
  if (supersededBy === id) {
    throw new MemoryError("input_invalid", `The entry ${id} cannot supersede itself. Valid: another entry.`, {
      details: { id },
    });
  }
  const by = find(supersededBy);
  if (by === undefined || by.collection !== collection || !canSee(context.scope, by.scope))
    throw notFound(context.scope, supersededBy);
  if (by.supersededBy === null) return;
  throw new MemoryError(
    "entry_superseded",
    `The entry ${by.id} is superseded by ${by.supersededBy} and cannot supersede ${id}. Valid: an entry that is current.`,
    { details: { id, by: by.id, supersededBy: by.supersededBy } },
  );
}

/** Told to each entry's own scope, which may be another than the removed one's. */
export async function releaseSuperseded(
  context: CommitContext,
  removed: ReadonlyMap<EntryId, Entry>,
): Promise<void> {
  const { sql, words, now } = context;
  const rows = await sql.all(
    `SELECT id, collection, memory_scope, superseded_by FROM memory_records
      WHERE ${words.oneOf("superseded_by")} ORDER BY id`,
    [JSON.stringify([...removed.keys()])],
  );
  for (const row of rows) {
    const [subject, scope, lost] = [idOf(row.id), scopeOf(row.memory_scope), idOf(row.superseded_by)];
    const supersededBy = heirOf(lost, removed);
    context.log({
      operation: "entry-update",
      collection: text(row.collection),
      scope,
      subject,
      changed: ["supersededBy"],
      before: { supersededBy: lost },
      after: { supersededBy },
      anonymous: scope !== context.scope,
    });
    await sql.run("UPDATE memory_records SET superseded_by = ?, updated_at = ? WHERE id = ?", [
      supersededBy,
      toSeconds(now),
      subject,
    ]);
  }
}

function heirOf(lost: EntryId, removed: ReadonlyMap<EntryId, Entry>): EntryId | null {
  let heir: EntryId | null = lost;
  while (heir !== null && removed.has(heir)) heir = removed.get(heir)?.supersededBy ?? null;
  return heir;
}
