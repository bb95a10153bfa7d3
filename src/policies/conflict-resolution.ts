/**
 * What is done about conflicts? Five ways (C-10, S1-26): skip the new statement, replace the old ones, append it beside
 * them, supersede them (kept, but out of recall: C-11), or ask. Only the plan is made here; whoever owns the collection
 * carries it out, and writes what is new before it removes what is old.
 */
import type { ConflictFinding } from "./conflict.ts";

export const RESOLUTIONS = ["skip", "replace", "append", "supersede", "ask"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export interface ResolutionPlan<Candidate> {
  readonly action: "inserted" | "skipped" | "replaced" | "superseded" | "asked";
  /** Whether the new statement is written. */
  readonly insert: boolean;
  /** To be removed after it is written. */
  readonly remove: readonly Candidate[];
  /** To be marked as superseded by it. */
  readonly supersede: readonly Candidate[];
  /** To be shown to a person, with the new one; nothing happens to them until then. */
  readonly ask: readonly ConflictFinding<Candidate>[];
  /** What it clashed with, whatever was done about it: the clash itself is information (B.1). */
  readonly conflicts: readonly ConflictFinding<Candidate>[];
}

export function planResolution<Candidate>(
  conflicts: readonly ConflictFinding<Candidate>[],
  resolution: Resolution,
): ResolutionPlan<Candidate> {
  const plan = { insert: true, remove: [], supersede: [], ask: [], conflicts };
  const clashing = conflicts.map(({ candidate }) => candidate);
  if (conflicts.length === 0) return { ...plan, action: "inserted" };
  switch (resolution) {
    case "append":
      return { ...plan, action: "inserted" };
    case "skip":
      return { ...plan, action: "skipped", insert: false };
    case "replace":
      return { ...plan, action: "replaced", remove: clashing };
    case "supersede": {
      // What is already known needs no second copy; everything else is kept, out of the way of its successor.
      const isKnown = conflicts.some(({ verdict }) => verdict.kind === "duplicate");
      if (isKnown) return { ...plan, action: "skipped", insert: false };
      return { ...plan, action: "superseded", supersede: clashing };
    }
    case "ask":
      return { ...plan, action: "asked", ask: conflicts };
  }
}
