/** What was asked, how long did it take, what did it cost? One event per request, failed ones with their error code. */
import { type Clock, systemClock } from "../base/clock.ts";
import { type ErrorCode, MemoryError } from "../base/errors.ts";
import type { Trace, TraceEvent } from "../base/trace.ts";
import { usageOf } from "./failure.ts";
import type { Middleware, ModelCall } from "./middleware.ts";
import { NO_USAGE, type Usage } from "./model.ts";
import { costOf, type Prices } from "./prices.ts";

export interface TracedDeps {
  readonly trace: Trace;
  readonly clock?: Clock | undefined;
  readonly prices?: Prices | undefined;
}

export function traced({ trace, clock = systemClock, prices }: TracedDeps): Middleware {
  return async (call, next) => {
    const start = clock.now();
    const emit = (usage: Usage, error?: ErrorCode): void => {
      const cost = error === undefined || usage !== NO_USAGE ? costOf(prices, call.model, usage) : undefined;
      trace(eventOf(call, { usage, ms: clock.now() - start, cost, error }));
    };
    try {
      const outcome = await next(call.options);
      emit(outcome.usage);
      return outcome;
    } catch (error) {
      emit(usageOf(error) ?? NO_USAGE, MemoryError.is(error) ? error.code : "invariant");
      throw error;
    }
  };
}

interface Measured {
  readonly usage: Usage;
  readonly ms: number;
  readonly cost: number | undefined;
  readonly error: ErrorCode | undefined;
}

function eventOf(call: ModelCall, { usage, ms, cost, error }: Measured): TraceEvent {
  const attempt = call.options.attempt ?? 1;
  const common = { model: call.model, task: call.options.task, ms, attempt, cost, error };
  const { inputTokens, outputTokens } = usage;
  if (call.kind === "chat")
    return { type: "model-call", ...common, cached: false, inputTokens, outputTokens };
  // A reranker reads every text together with the query.
  const texts = call.kind === "rank" ? call.texts.length / 2 : call.texts.length;
  return {
    type: call.kind === "rank" ? "rank-call" : "embed-call",
    ...common,
    cached: 0,
    texts,
    inputTokens,
  };
}
