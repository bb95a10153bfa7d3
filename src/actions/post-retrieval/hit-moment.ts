/** From when does a memory's age count: from when it happened, or from when it was last looked at? */
import { z } from "zod";
import type { Entry } from "../../base/entry.ts";

export const momentField = z
  .enum(["last_access_at", "happened_at"])
  .describe("Whether age counts from the last look at a memory or from when it happened.");
export type MomentField = z.infer<typeof momentField>;

const HOUR_MS = 3_600_000;

export function momentOf({ lastAccessAt, happenedAt }: Entry, field: MomentField): number {
  return field === "last_access_at" ? lastAccessAt : happenedAt;
}

export function hoursSince(entry: Entry, field: MomentField, at: number): number {
  return (at - momentOf(entry, field)) / HOUR_MS;
}
