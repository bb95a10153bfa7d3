/** A sink that throws must not turn a committed write into a failed one: its error is reported, the work goes on. */
import { emitWarning } from "node:process";
import type { Trace } from "../base/trace.ts";

export function guardTrace(trace: Trace): Trace {
  return (event) => {
    try {
      trace(event);
    } catch (error) {
      emitWarning(`A trace sink threw on "${event.type}": ${error}`, "NeuroMemTraceWarning");
    }
  };
}
