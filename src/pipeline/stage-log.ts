/** The book of one call: runs actions one after another, and writes down what each took, did and said. */
import type { MaybePromise } from "../base/promise.ts";
import { silent } from "../base/trace.ts";
import { throwIfAborted } from "../models/abort.ts";
import type { ActionContext, BoundAction } from "./action.ts";
import type { Effect, StageRecord } from "./record.ts";
import { type RunOptions, startRun, type ThinkingDeps } from "./stage-context.ts";

interface Step<Result> {
  call(context: ActionContext): MaybePromise<Result>;
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

export function createLog(deps: ThinkingDeps, options: RunOptions): StageLog {
  const records: StageRecord[] = [];
  const trace = deps.trace ?? silent;
  return {
    records,
    async run({ stage, name }, given, step) {
      throwIfAborted(options.signal, `The action ${name} of the stage ${stage}`);
      const run = startRun(deps, options);
      const started = performance.now();
      const result = await step.call(run.context);
      const ms = performance.now() - started;
      const count = step.count(result);
      const { tasks, notes } = run;
      records.push({
        stage,
        action: name,
        ms,
        given,
        result: count,
        tasks,
        notes,
        effects: step.effects?.(result) ?? [],
      });
      trace({ type: "stage-run", stage, action: name, ms, given, result: count, notes });
      return result;
    },
  };
}
