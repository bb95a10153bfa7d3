/**
 * A typed, weighted link between two entries of one collection. A pair may have several edges of different types
 * (C-35). An edge has a scope of its own: it is seen only by callers who see the edge and both its ends.
 */
import { z } from "zod";
import { type EntryId, parseEntryId } from "./ids.ts";
import { parseInput } from "./parse-input.ts";
import type { Scope } from "./scope.ts";
import { labelSchema } from "./text-input.ts";

export interface Edge {
  readonly from: EntryId;
  readonly to: EntryId;
  /** temporal, semantic, causal, relation, synonym, contains, link … */
  readonly type: string;
  readonly weight: number;
  /** false: walked both ways whatever the direction asked for. */
  readonly directed: boolean;
  readonly scope: Scope;
  /** What made it: a policy's, action's or caller's name. */
  readonly provenance: string;
  readonly createdAt: number;
}

export interface NewEdge {
  readonly from: EntryId;
  readonly to: EntryId;
  readonly type: string;
  readonly weight?: number | undefined;
  readonly directed?: boolean | undefined;
  readonly provenance?: string | undefined;
}

/** What tells one edge from another within a scope. */
export interface EdgeKey {
  readonly from: EntryId;
  readonly to: EntryId;
  readonly type: string;
}

const schema = z.strictObject({
  from: z.string(),
  to: z.string(),
  type: labelSchema,
  weight: z.number().positive().optional(),
  directed: z.boolean().optional(),
  provenance: labelSchema.or(z.literal("")).optional(),
});

export function makeEdge(input: NewEdge, scope: Scope, now: number): Edge {
  const given = parseInput(schema, input, "edge");
  return {
    from: parseEntryId(given.from),
    to: parseEntryId(given.to),
    type: given.type,
    weight: given.weight ?? 1,
    directed: given.directed ?? true,
    scope,
    provenance: given.provenance ?? "",
    createdAt: now,
  };
}
