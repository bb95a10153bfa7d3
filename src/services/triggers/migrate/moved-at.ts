/** When was an entry last moved to another tier? Kept in its metadata, so that a sweep knows what it has already done. */
import type { Entry } from "../../../base/entry.ts";
import type { JsonObject } from "../../../base/json.ts";

export function movedAt({ metadata }: Pick<Entry, "metadata">): number | undefined {
  return typeof metadata.migrated_at === "number" ? metadata.migrated_at : undefined;
}

export function withMovedAt({ metadata }: Pick<Entry, "metadata">, at: number): JsonObject {
  return { ...metadata, migrated_at: at };
}
