/** In which order, allowed to do what? Six stages and the contract of the actions that run in them. */
export {
  type ActionContext,
  type ActionDefinition,
  type BoundAction,
  bindAction,
  type Claims,
  type CycleHandle,
  defineAction,
  type Inserted,
  type InsertHandle,
  type PostInsertHandle,
  type ReadHandle,
} from "./action.ts";
export type { Draft, InputOptions } from "./draft.ts";
export { appendTurns } from "./journal.ts";
export { createPipeline, type Pipeline } from "./pipeline.ts";
export type { InsertResult, PipelineDeps, PipelinePlan, RetrieveResult } from "./plan.ts";
export type { Found, FoundHit, NewQuestion, Question } from "./question.ts";
export type { Effect, StageRecord } from "./record.ts";
export { RIGHTS, STAGES, type Stage } from "./stage.ts";
