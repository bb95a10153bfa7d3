/**
 * Inserting with an eye on what is known (Mem0 as seed 001 has it: S1-23 … S1-26; C-10, C-11), on any collection with a
 * vector index. What clashes is told whatever was done about it. Public entries may clash with private ones, but only
 * the scope's own are replaced or superseded.
 */
import { z } from "zod";
import type { Hit } from "../../base/hit.ts";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import type { Collection } from "../../collection/collection.ts";
import { type ConflictDeps, type ConflictFinding, findConflicts } from "../../policies/conflict.ts";
import { conflictOptions } from "../../policies/conflict-options.ts";
import { planResolution, RESOLUTIONS, type ResolutionPlan } from "../../policies/conflict-resolution.ts";

export const conflictCheckOptions = z.strictObject({
  index_name: z.string().min(1).describe("The vector index in which like entries are looked for."),
  max_candidates: z.int().min(1).describe("How many of the most alike entries are compared."),
  resolution: z
    .enum(RESOLUTIONS)
    .describe(
      "What is done about a clash: skip, replace, append, supersede (the old is kept out of recall) or ask.",
    ),
  ...conflictOptions.shape,
});
export type ConflictCheckOptions = Readonly<z.infer<typeof conflictCheckOptions>>;

export interface NewFact {
  readonly content: string;
  readonly vector: Vector;
  readonly metadata?: JsonObject | undefined;
  /** Names of the indexes it joins. @default the one that is asked for like entries */
  readonly indexes?: readonly string[] | undefined;
}

export interface ConflictCheck {
  /** null if the fact was not written. */
  readonly id: EntryId | null;
  readonly action: ResolutionPlan<Hit>["action"];
  /** What it clashes with most nearly; null if with nothing. */
  readonly conflict: Hit | null;
  readonly conflicts: readonly ConflictFinding<Hit>[];
}

export async function insertWithConflictCheck(
  collection: Collection,
  scope: Scope,
  fact: NewFact,
  options: ConflictCheckOptions,
  deps: ConflictDeps,
): Promise<ConflictCheck> {
  const given = parseInput(conflictCheckOptions, options, "options of insertWithConflictCheck");
  const { index_name: index, max_candidates: topK, resolution, ...rules } = given;
  const hits = await collection.retrieve(scope, { index, vector: fact.vector, topK });
  const candidates = hits.map((hit) => ({ text: hit.content, similarity: hit.score, hit }));
  const found = await findConflicts({ text: fact.content }, candidates, rules, deps);
  const conflicts = found.map(({ candidate, ...rest }) => ({ ...rest, candidate: candidate.hit }));
  const changes = resolution === "replace" || resolution === "supersede";
  const plan = planResolution(
    changes ? conflicts.filter(({ candidate }) => candidate.scope === scope) : conflicts,
    resolution,
  );
  const id = plan.insert ? await carryOut(collection, scope, { indexes: [index], ...fact }, plan) : null;
  return { id, action: plan.action, conflict: conflicts[0]?.candidate ?? null, conflicts };
}

async function carryOut(
  collection: Collection,
  scope: Scope,
  { content, vector, metadata, indexes }: NewFact,
  plan: ResolutionPlan<Hit>,
): Promise<EntryId> {
  const by = { cause: "insertWithConflictCheck" };
  const asked = plan.ask.map(({ candidate }) => candidate.id);
  const item = {
    content,
    metadata,
    indexes,
    vectors: [vector],
    // What is replaced is out of recall from the same moment on, whatever becomes of its removal.
    supersedes: [...plan.supersede, ...plan.remove].map(({ id }) => id),
    // Kept until somebody has decided, and found by whoever asks the service what waits (S0-23).
    work: asked.length === 0 ? [] : [{ name: "crud", payload: { pending_similar: asked } }],
  };
  const fresh = await collection.insert(scope, item, by);
  for (const { id } of plan.remove) await collection.delete(scope, id, by);
  return fresh;
}
