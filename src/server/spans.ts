/**
 * Where did the time of a request go? A span for every request and one inside it for every stage, model call and commit, for
 * whoever has set OpenTelemetry up in the process: only its API is used here, which does nothing until then, and no exporter
 * is chosen. A span says what ran, how long, and how many; never what was said.
 */
import {
  type Attributes,
  context as active,
  defaultTextMapGetter,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace as tracing,
} from "@opentelemetry/api";
import { silent, type Trace, type TraceEvent } from "../base/trace.ts";
import type { ServerContext } from "./server.ts";

const NAME = "neuromem";

/** A trace for Memory.open: what it tells becomes spans inside the request that is under way. */
export function spanTrace(next: Trace = silent): Trace {
  return (event) => {
    next(event);
    const told = spanOf(event);
    if (told === undefined) return;
    const end = Date.now();
    const span = tracing
      .getTracer(NAME)
      .startSpan(told.name, { startTime: end - told.ms, attributes: told.attributes });
    if (told.error !== undefined) {
      span.setAttribute("error.type", told.error);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end(end);
  };
}

/** Runs a request inside a span of its own, which goes on with the caller's if there is one. */
export async function inRequestSpan(
  context: ServerContext,
  run: () => Promise<{ readonly route: string; readonly status: number }>,
): Promise<void> {
  const { method } = context.req;
  const parent = propagation.extract(active.active(), carrierOf(context), defaultTextMapGetter);
  const attributes = { "http.request.method": method, "neuromem.request": context.var.requestId };
  const span = tracing.getTracer(NAME).startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  try {
    const { route, status } = await active.with(tracing.setSpan(parent, span), run);
    span.updateName(`${method} ${route}`);
    span.setAttributes({ "http.route": route, "http.response.status_code": status });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  } finally {
    span.end();
  }
}

/** What the caller says about its own trace. */
function carrierOf({ req }: ServerContext): Record<string, string> {
  const said = ["traceparent", "tracestate", "baggage"].map((name) => [name, req.header(name)] as const);
  return Object.fromEntries(said.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

interface Told {
  readonly name: string;
  readonly ms: number;
  readonly attributes: Attributes;
  readonly error?: string | undefined;
}

/** Numbers and names of our own; notes and messages may quote what was said, and stay behind. */
function spanOf(event: TraceEvent): Told | undefined {
  switch (event.type) {
    case "stage-run": {
      const { stage, action, ms, given, result, error } = event;
      const attributes = {
        "neuromem.stage": stage,
        "neuromem.action": action,
        "neuromem.given": given,
        "neuromem.result": result,
      };
      return { name: `${stage} ${action}`, ms, attributes, error };
    }
    case "model-call": {
      const { model, task, ms, inputTokens, outputTokens, cached, attempt, error } = event;
      const attributes = {
        "neuromem.model": model,
        ...(task === undefined ? {} : { "neuromem.task": task }),
        "neuromem.input_tokens": inputTokens,
        "neuromem.output_tokens": outputTokens,
        "neuromem.cached": cached,
        "neuromem.attempt": attempt,
      };
      return { name: "model", ms, attributes, error };
    }
    case "embed-call":
    case "rank-call": {
      const { type, model, texts, ms, error } = event;
      const attributes = { "neuromem.model": model, "neuromem.texts": texts };
      return { name: type === "embed-call" ? "embed" : "rank", ms, attributes, error };
    }
    case "storage-commit":
      return { name: "commit", ms: event.ms, attributes: { "neuromem.writes": event.writes } };
    default:
      return undefined;
  }
}
