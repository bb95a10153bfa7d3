/** Broken constraints in our words, the same whichever engine noticed. */
import { MemoryError } from "../../base/errors.ts";

export function entryExists(cause: unknown): MemoryError {
  return new MemoryError(
    "entry_exists",
    "An entry with this id exists already. Valid: a new id, or an update.",
    {
      cause,
    },
  );
}

/** A foreign key: nearly always a collection or an index that somebody dropped meanwhile. */
export function parentMissing(cause: unknown): MemoryError {
  return new MemoryError(
    "collection_not_found",
    "The write names a collection or an index that does not exist. Valid: one that was created and not dropped.",
    { cause },
  );
}
