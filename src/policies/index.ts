/** How alive, how similar, how much? Pure decisions over stored observables; the table of contents of this folder. */
export { type ConflictDeps, type ConflictFinding, findConflicts } from "./conflict.ts";
export {
  type AttributeDetector,
  createAttributeDetector,
  type EntityAttribute,
  extractByModel,
} from "./conflict-attribute.ts";
export {
  CONFLICT_DETECTORS,
  type ConflictCandidate,
  type ConflictOptions,
  conflictOptions,
} from "./conflict-options.ts";
export { planResolution, RESOLUTIONS, type Resolution, type ResolutionPlan } from "./conflict-resolution.ts";
export {
  type Cluster,
  type ConsolidationEntry,
  type ConsolidationOptions,
  consolidationOptions,
  planConsolidation,
} from "./consolidation.ts";
export {
  type ForgettingCandidate,
  type ForgettingOptions,
  forgettingOptions,
  planForgetting,
} from "./forgetting.ts";
export { type FusionOptions, fuse, fusionSchema } from "./fusion.ts";
export {
  type LinkEvolution,
  type LinkEvolutionOptions,
  type LinkPlan,
  linkEvolutionOptions,
  planLinkEvolution,
  planStrengthen,
  type SimilarEntry,
  type StrengthenOptions,
  strengthenOptions,
  type WeightedLink,
} from "./link-evolution.ts";
export {
  type LinkRoutingOptions,
  linkRoutingOptions,
  planLinkRouting,
  type RoutedLink,
  type RoutingInput,
  type RoutingPlan,
} from "./link-routing.ts";
export {
  planMove,
  TIER_MOVES,
  type TierLines,
  type TierMove,
  type TierMoveKind,
  tierNamed,
} from "./tier-plan.ts";
export {
  type Budgeted,
  type BudgetItem,
  countTokensByLength,
  type DroppedItem,
  filterByBudget,
  type TokenBudgetOptions,
  type TokenCounter,
  tokenBudgetOptions,
} from "./token-budget.ts";
export {
  OVERLAP_FORMS,
  type OverlapForm,
  type SegmentScoreInput,
  type SegmentScoreOptions,
  segmentScore,
  segmentScoreOptions,
  topicOverlap,
} from "./topic-overlap.ts";
export {
  type BoundVitality,
  createVitality,
  VITALITY,
  type VitalityChoice,
  vitalityNamed,
  vitalitySchema,
} from "./vitality/index.ts";
export { defineVitality, type Vitality } from "./vitality/vitality.ts";
