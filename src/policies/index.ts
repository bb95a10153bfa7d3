/** How alive, how similar, how much? Decisions over stored observables; so far the ones about conflicts. */
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
