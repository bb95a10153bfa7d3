/** What a pipeline is made of, and what its two calls give. */
import type { MemoryService } from "../services/service.ts";
import type { BoundAction, Inserted } from "./action.ts";
import type { InputOptions } from "./draft.ts";
import type { Found } from "./question.ts";
import type { StageRecord } from "./record.ts";
import type { Stage } from "./stage.ts";
import type { ThinkingDeps } from "./stage-context.ts";

/** A preset, opened: the service and what runs in each stage. */
export interface PipelinePlan {
  readonly service: MemoryService;
  readonly input: InputOptions;
  readonly stages: { readonly [S in Exclude<Stage, "memory_retrieval">]: readonly BoundAction<S>[] } & {
    readonly memory_retrieval: BoundAction<"memory_retrieval">;
  };
}

export interface PipelineDeps extends ThinkingDeps {
  readonly clock: { now(): number };
}

export interface InsertResult {
  readonly inserted: readonly Inserted[];
  readonly stages: readonly StageRecord[];
}

export interface RetrieveResult extends Found {
  readonly stages: readonly StageRecord[];
}
