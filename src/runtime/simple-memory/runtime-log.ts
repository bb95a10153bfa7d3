/**
 * What does a runtime tell while it works (S3-24, S3-29, S3-30)? One line at the start, one per request, one per refusal.
 * Lines go to a function of the caller's; they hold counts, times and scopes, never what a memory or a question says.
 *
 * Counts and times of a request are taken from the trace of what it did below; requests that run at once are told apart
 * by the async context that each runs in.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { type ErrorCode, MemoryError } from "../../base/errors.ts";
import type { Trace, TraceEvent } from "../../base/trace.ts";

export type RuntimeLine =
  | RuntimeStart
  | RuntimeRequest
  | (Omit<RuntimeStart, "event" | "level"> & {
      readonly level: "error";
      readonly event: "start-fail";
      readonly code: ErrorCode;
    })
  | (Pick<RuntimeRequest, "runtime" | "operation" | "message"> & {
      readonly level: "error";
      readonly event: "request-fail";
      readonly code: ErrorCode;
    });

export interface RuntimeStart {
  readonly level: "info";
  readonly event: "runtime-start";
  readonly runtime: string;
  /** All of the line as a text. */
  readonly message: string;
}

export interface RuntimeRequest {
  readonly level: "info";
  readonly event: "request-done";
  readonly runtime: string;
  readonly operation: string;
  readonly scope: string;
  /** Memories that matched, before the best were taken; 0 where nothing is looked for. */
  readonly candidates: number;
  readonly returned: number;
  /** Time of the search itself: tags or vectors looked up, and rows read. */
  readonly search_ms: number;
  readonly ms: number;
  readonly message: string;
}

export type RuntimeLog = (line: RuntimeLine) => void;

/** A log that fails must not fail a request. */
export function guardLog(log: RuntimeLog): RuntimeLog {
  return (line) => {
    try {
      log(line);
    } catch {
      // Nobody is left to tell.
    }
  };
}

export function startLine(runtime: string): RuntimeStart {
  return { level: "info", event: "runtime-start", runtime, message: `记忆运行时: ${runtime}` };
}

interface Tally {
  /** The most that one index found: it is asked again, for more, where a filter left too few. */
  readonly found: Map<string, number>;
  searchMs: number;
}

export interface RequestMeter {
  /** To be handed to the memory; passes every event on. */
  readonly trace: Trace;
  /** Runs a request and writes its line. `returned` counts what it gives. */
  run<T>(
    of: Pick<RuntimeRequest, "runtime" | "operation" | "scope">,
    request: () => Promise<T>,
    returned: (result: T) => number,
  ): Promise<T>;
}

export function createMeter(log: RuntimeLog, onward: Trace): RequestMeter {
  const requests = new AsyncLocalStorage<Tally>();
  return {
    trace(event) {
      const tally = requests.getStore();
      if (tally !== undefined) count(tally, event);
      onward(event);
    },
    async run({ runtime, operation, scope }, request, returned) {
      const tally: Tally = { found: new Map(), searchMs: 0 };
      const start = performance.now();
      try {
        const result = await requests.run(tally, request);
        log(requestLine({ runtime, operation, scope }, tally, returned(result), performance.now() - start));
        return result;
      } catch (error) {
        log(failLine(runtime, operation, error));
        throw error;
      }
    },
  };
}

export function failLine(runtime: string, operation: string, error: unknown): RuntimeLine {
  const code = MemoryError.is(error) ? error.code : "invariant";
  const why = error instanceof Error ? error.message : String(error);
  const message = `${runtime}.${operation} failed (${code}): ${why}`;
  return { level: "error", event: "request-fail", runtime, operation, code, message };
}

function count(tally: Tally, event: TraceEvent): void {
  if (event.type === "index-query") {
    const matched = event.matching ?? event.hits;
    tally.found.set(event.index, Math.max(matched, tally.found.get(event.index) ?? 0));
  } else if (event.type === "stage-run" && event.stage === "memory_retrieval") {
    tally.searchMs += event.ms;
  }
}

function requestLine(
  { runtime, operation, scope }: Pick<RuntimeRequest, "runtime" | "operation" | "scope">,
  { found, searchMs }: Tally,
  returned: number,
  took: number,
): RuntimeRequest {
  const candidates = [...found.values()].reduce((sum, matched) => sum + matched, 0);
  const search_ms = rounded(searchMs);
  const ms = rounded(took);
  const message = `${runtime}.${operation} scope=${scope} candidates=${candidates} returned=${returned} search_ms=${search_ms} ms=${ms}`;
  return {
    level: "info",
    event: "request-done",
    runtime,
    operation,
    scope,
    candidates,
    returned,
    search_ms,
    ms,
    message,
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
