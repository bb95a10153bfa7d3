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
export { type Draft, INSERT_METHODS, type InputOptions, type InsertMethod } from "./draft.ts";
export { appendTurns } from "./journal.ts";
export {
  createPipeline,
  type InsertResult,
  type Pipeline,
  type PipelineDeps,
  type PipelinePlan,
  type RetrieveResult,
} from "./pipeline.ts";
export type { Found, FoundHit, NewQuestion, Question } from "./question.ts";
export type { Effect, StageRecord } from "./record.ts";
export { RIGHTS, STAGES, type Stage } from "./stage.ts";
