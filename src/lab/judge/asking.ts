/** How is a model asked in the laboratory? Always the same way: no chance where it can be had without, and no rules in its place. */
import { MemoryError } from "../../base/errors.ts";
import { usageOf } from "../../models/failure.ts";
import { wrapModel } from "../../models/middleware.ts";
import type { ChatModel, Usage } from "../../models/model.ts";
import { costOf, type Prices } from "../../models/prices.ts";
import { isAnsweredHere, type TaskOptions } from "../../tasks/run-task.ts";
import type { ModelUse } from "../result.ts";

export type Asking = TaskOptions & { readonly model: ChatModel };

export const NO_USE: ModelUse = { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0 };

/** A model as a run asks it, and what it has used since. Without a price for it, what it cost is not known. */
export function askingOf(
  model: ChatModel,
  {
    seed,
    prices,
    signal,
  }: {
    readonly seed: number;
    readonly prices?: Prices | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): { readonly asking: Asking; use(): ModelUse } {
  let use = NO_USE;
  const add = (usage: Usage): void => {
    const usd = costOf(prices, model.id, usage) ?? null;
    use = addUse(use, { calls: 1, ...usage, usd });
  };
  const counted = wrapModel(model, async (call, next) => {
    try {
      const outcome = await next(call.options);
      add(outcome.usage);
      return outcome;
    } catch (error) {
      add(usageOf(error) ?? { inputTokens: 0, outputTokens: 0 });
      throw error;
    }
  });
  return {
    asking: { model: counted, onBadReply: "throw", settings: { temperature: 0, seed }, signal },
    use: () => use,
  };
}

export function addUse(a: ModelUse, b: ModelUse): ModelUse {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    // What is partly unknown is unknown.
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
  };
}

/**
 * Whether the failure belongs to this one question (a reply that could not be used, a text that is too long), so that the
 * others can still be asked. A model that is down, a wrong key or a spent budget would fail them all.
 */
export function isQuestionsOwn(error: unknown): error is MemoryError {
  return (
    MemoryError.is(error) &&
    error.code !== "budget_exceeded" &&
    isAnsweredHere(error, { onBadReply: "fallback", onModelDown: "throw" })
  );
}
