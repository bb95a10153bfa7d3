/** The book of one call: runs actions one after another, and writes down what each took, did and said, also where it fails. */
import { MemoryError } from "../base/errors.ts";
import type { MaybePromise } from "../base/promise.ts";
import { silent } from "../base/trace.ts";
import { throwIfAborted } from "../models/abort.ts";
import type { MemoryService } from "../services/service.ts";
import type { ActionContext, BoundAction } from "./action.ts";
import { type HandleRun, startHandles } from "./handles.ts";
import type { Effect, StageRecord } from "./record.ts";
import { type RunOptions, startRun, type ThinkingDeps } from "./stage-context.ts";

interface Step<Result> {
  /** The handles that are made of `run` end with the call. */
  call(context: ActionContext, run: HandleRun): MaybePromise<Result>;
  count(result: Result): number;
  effects?(result: Result): readonly Effect[];
}

export interface StageLog {
  readonly records: readonly StageRecord[];
  run<Result>(
    action: Pick<BoundAction, "stage" | "name">,
    given: number,
    step: Step<Result>,
  ): Promise<Result>;
}

export function createLog(deps: ThinkingDeps, service: MemoryService, options: RunOptions): StageLog {
  const records: StageRecord[] = [];
  const trace = deps.trace ?? silent;
  return {
    records,
    async run({ stage, name: action }, given, step) {
      throwIfAborted(options.signal, `The action ${action} of the stage ${stage}`);
      const { context, tasks, notes } = startRun(deps, options);
      const handles = startHandles(stage, service, options.scope);
      const started = performance.now();
      const write = (done: Pick<StageRecord, "result" | "effects" | "error">): void => {
        const ms = performance.now() - started;
        records.push({ stage, action, ms, given, tasks, notes, ...done });
        trace({ type: "stage-run", stage, action, ms, given, result: done.result, notes, error: done.error });
      };
      try {
        const result = await step.call(context, handles);
        write({ result: step.count(result), effects: step.effects?.(result) ?? [] });
        return result;
      } catch (error) {
        write({ result: 0, effects: [], error: MemoryError.is(error) ? error.code : "invariant" });
        throw error;
      } finally {
        handles.end();
      }
    },
  };
}
