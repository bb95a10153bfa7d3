/** What was a model asked for, and what did it cost? Summed from the trace, so that whoever asked is counted. */
import type { Trace } from "../../base/trace.ts";
import type { ModelUse } from "../result.ts";

export interface ModelMeter {
  readonly trace: Trace;
  /** Since the last time this was asked. */
  take(): ModelUse;
}

export function modelMeter(): ModelMeter {
  let use = { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0, isPriced: true };
  return {
    trace(event) {
      if (event.type !== "model-call" || event.cached) return;
      const { inputTokens, outputTokens, cost, error } = event;
      // Nobody answered, and nothing was spent.
      if (error !== undefined && inputTokens + outputTokens === 0) return;
      use = {
        calls: use.calls + 1,
        inputTokens: use.inputTokens + inputTokens,
        outputTokens: use.outputTokens + outputTokens,
        usd: use.usd + (cost ?? 0),
        isPriced: use.isPriced && cost !== undefined,
      };
    },
    take() {
      const { isPriced, usd, ...counts } = use;
      use = { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0, isPriced: true };
      return { ...counts, usd: isPriced ? usd : null };
    },
  };
}
