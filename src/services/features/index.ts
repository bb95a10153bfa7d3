/** The papers' features on any collection, each on its own or all together; the table of contents of this folder. */
export {
  type AllFeatureOptions,
  allFeatureOptions,
  type FeatureDeps,
  type GraphFeatureOptions,
  type VectorFeatureOptions,
  withAllFeatures,
  withGraphFeatures,
  withVectorFeatures,
} from "./all-features.ts";
export { type BudgetRetrievalOptions, type Question, retrieveWithBudget } from "./budget.ts";
export {
  type ConflictCheck,
  type ConflictCheckOptions,
  insertWithConflictCheck,
  type NewFact,
} from "./conflict.ts";
export {
  type ApplyForgettingOptions,
  applyForgetting,
  createEbbinghaus,
  type EbbinghausForgetting,
  type EbbinghausOptions,
  updateAccess,
} from "./ebbinghaus.ts";
export {
  applyHeatMigration,
  createHeat,
  type HeatAction,
  type HeatScoreManager,
  type HeatScoreOptions,
  type HeatTier,
} from "./heat.ts";
export { batchEvolve, type EvolveLinksOptions, evolveLinks } from "./link-evolution.ts";
export {
  insertTriple,
  type NewTriple,
  type QueryTriple,
  retrieveByQuery,
  type TripleOptions,
} from "./triples.ts";
