/** Changes of entries as writes: their fields are checked at once, their vectors against the indexes there are by then. */
import { checkFields } from "../base/entry.ts";
import type { EntryId } from "../base/ids.ts";
import type { Write } from "../storage/storage.ts";
import { checkVectors, hashOf } from "./insert.ts";
import type { LiveIndex } from "./live-index.ts";
import type { EntryChange } from "./requests.ts";

export interface Update {
  readonly id: EntryId;
  readonly change: EntryChange;
}

export function planUpdates(changes: readonly Update[]): (indexes: readonly LiveIndex[]) => Write[] {
  const checked = changes.map(({ id, change: { vectors = [], ...rest } }) => ({
    id,
    vectors,
    fields: checkFields(rest),
  }));
  return (indexes) =>
    checked.flatMap(({ id, fields, vectors }): Write[] => {
      checkVectors(vectors, indexes);
      const hash = fields.content === undefined ? {} : { contentHash: hashOf(fields.content) };
      return [
        { op: "entry-update", id, fields, ...hash },
        ...vectors.map((vector): Write => ({ op: "vector-put", id, vector })),
      ];
    });
}
