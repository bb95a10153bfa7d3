/**
 * A collection with the papers' features about it (S0-56, S0-57, S1-2): those over vectors, those over a graph, or all. The
 * collection itself stays as it is and is used beside them. Every number comes from the options: those of seed 001 are
 * in presets/features/seed_001.yaml.
 *
 * @example
 *     const seed001 = await loadFeatures("seed_001"); // from neuromem/preset
 *     const memory = withAllFeatures(collection, seed001, { conflict: { task: { onBadReply: "fallback" } } });
 *     await memory.insertWithConflictCheck(scope, { content: "Alice's city is Rome", vector });
 *     await memory.applyForgetting(scope);
 */
import { z } from "zod";
import type { Clock } from "../../base/clock.ts";
import type { EntryId } from "../../base/ids.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import type { Collection } from "../../collection/collection.ts";
import type { ConflictDeps } from "../../policies/conflict.ts";
import type { Tokenizer } from "../../text/token-count.ts";
import { budgetRetrievalOptions, type Question, retrieveWithBudget } from "./budget.ts";
import { conflictCheckOptions, insertWithConflictCheck, type NewFact } from "./conflict.ts";
import {
  applyForgetting,
  applyForgettingOptions,
  createEbbinghaus,
  ebbinghausOptions,
  updateAccess,
} from "./ebbinghaus.ts";
import { applyHeatMigration, createHeat, type HeatTier, heatScoreOptions } from "./heat.ts";
import { batchEvolve, evolveLinks, evolveLinksOptions } from "./link-evolution.ts";
import { insertTriple, type NewTriple, retrieveByQuery, tripleOptions } from "./triples.ts";

export const vectorFeatureOptions = z.strictObject({
  triples: tripleOptions.describe("Question, passage and answer as one (TiM)."),
  ebbinghaus: ebbinghausOptions.describe("The forgetting curve (MemoryBank)."),
  forgetting: applyForgettingOptions.describe("What becomes of what is forgotten, and where."),
  heat: heatScoreOptions.describe("When entries change tiers (MemoryOS)."),
  budget: budgetRetrievalOptions.describe("How much a recall may return (SCM)."),
  conflict: conflictCheckOptions.describe("What clashes, and what is done about it (Mem0)."),
});
export type VectorFeatureOptions = Readonly<z.infer<typeof vectorFeatureOptions>>;

export const graphFeatureOptions = z.strictObject({
  link_evolution: evolveLinksOptions.describe("How links fade and grow (A-Mem)."),
});
export type GraphFeatureOptions = Readonly<z.infer<typeof graphFeatureOptions>>;

export const allFeatureOptions = z.strictObject({
  ...vectorFeatureOptions.shape,
  ...graphFeatureOptions.shape,
});
export type AllFeatureOptions = Readonly<z.infer<typeof allFeatureOptions>>;

export interface FeatureDeps {
  readonly clock?: Clock | undefined;
  readonly tokenizer?: Tokenizer | undefined;
  /** Who is asked about conflicts, beyond the rules. */
  readonly conflict: ConflictDeps;
}

/** What a collection with vectors can do; every call names the scope it acts for. */
export function withVectorFeatures(collection: Collection, options: VectorFeatureOptions, deps: FeatureDeps) {
  const given = parseInput(vectorFeatureOptions, options, "options of the features", "option_invalid");
  const { clock, tokenizer } = deps;
  const forgetting = createEbbinghaus(given.ebbinghaus);
  const heat = createHeat(given.heat);
  return {
    collection,
    forgetting,
    heat,
    insertTriple: (scope: Scope, triple: NewTriple) => insertTriple(collection, scope, triple, given.triples),
    retrieveByQuery: (scope: Scope, vector: Vector) =>
      retrieveByQuery(collection, scope, vector, given.triples),
    updateAccess: (scope: Scope, id: EntryId) => updateAccess(collection, scope, id, clock),
    applyForgetting: (scope: Scope) =>
      applyForgetting(collection, scope, forgetting, given.forgetting, clock),
    applyHeatMigration: (scope: Scope, tiers: readonly HeatTier[]) =>
      applyHeatMigration(collection, scope, heat, tiers, clock),
    retrieveWithBudget: (scope: Scope, question: Question) =>
      retrieveWithBudget(collection, scope, question, given.budget, tokenizer),
    insertWithConflictCheck: (scope: Scope, fact: NewFact) =>
      insertWithConflictCheck(collection, scope, fact, given.conflict, deps.conflict),
  };
}

/** What a collection with a graph can do. */
export function withGraphFeatures(collection: Collection, options: GraphFeatureOptions) {
  const given = parseInput(graphFeatureOptions, options, "options of the features", "option_invalid");
  return {
    collection,
    evolveLinks: (scope: Scope, id: EntryId) => evolveLinks(collection, scope, id, given.link_evolution),
    batchEvolve: (scope: Scope) => batchEvolve(collection, scope, given.link_evolution),
  };
}

export function withAllFeatures(collection: Collection, options: AllFeatureOptions, deps: FeatureDeps) {
  const { link_evolution, ...vector } = parseInput(
    allFeatureOptions,
    options,
    "options of the features",
    "option_invalid",
  );
  return {
    ...withGraphFeatures(collection, { link_evolution }),
    ...withVectorFeatures(collection, vector, deps),
  };
}
