/**
 * The right to be forgotten. Entries go with everything the log of events keeps of them, so that neither history nor undo
 * can bring a word back. The events themselves stay, empty: indexes of other processes learn from them what to drop.
 */
import type { CommitContext, LoggedChange, WriteOf } from "./commit-context.ts";
import { readEdgesOfAnyone, readEntriesOfAnyone } from "./entry-reads.ts";
import { removeEntries } from "./entry-writes.ts";

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
