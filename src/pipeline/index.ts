/** In which order, allowed to do what? Six stages and the contract of the actions that run in them. */
export {
  type ActionContext,
  type ActionDefinition,
  type BoundAction,
  bindAction,
  type Claims,
  type CycleHandle,
  type DeleteHow,
  defineAction,
  type Inserted,
  type InsertHandle,
  type MemoryInsertContext,
  type MemoryRetrievalContext,
  type PostInsertContext,
  type PostInsertHandle,
  type PostRetrievalContext,
  type PreInsertContext,
  type PreRetrievalContext,
  type ReadHandle,
  type StageData,
} from "./action.ts";
export type { Draft, InputOptions } from "./draft.ts";
export { appendTurns } from "./journal.ts";
export { type CallOptions, createPipeline, type Pipeline } from "./pipeline.ts";
export type { InsertResult, PipelineDeps, PipelinePlan, RetrieveResult } from "./plan.ts";
export type { Found, FoundHit, FoundList, NewQuestion, Question, SubQuery } from "./question.ts";
export type { Effect, StageRecord } from "./record.ts";
export { RIGHTS, STAGES, type Stage } from "./stage.ts";
