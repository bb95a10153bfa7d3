import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type ServedMemory, serveMemory } from "../../test/fixtures/served-memory.ts";
import { spanTrace } from "./spans.ts";

const foundSchema = z.object({
  stages: z.array(z.object({ stage: z.string(), action: z.string(), result: z.number() })),
});

/** The one header that matters here, as the standard writes it. */
const traceparent: TextMapPropagator = {
  inject: () => undefined,
  extract(within, carrier, { get }) {
    const [, traceId, spanId] = /^00-(\w{32})-(\w{16})-01$/.exec(String(get(carrier, "traceparent"))) ?? [];
    if (traceId === undefined || spanId === undefined) return within;
    return trace.setSpanContext(within, { traceId, spanId, traceFlags: 1, isRemote: true });
  },
  fields: () => ["traceparent"],
};

const exporter = new InMemorySpanExporter();
let served: ServedMemory;
beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(traceparent);
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
});
afterAll(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});
beforeEach(async () => {
  served = await serveMemory({ memory: { preset: "neuromem", trace: spanTrace() } });
  await served.memory.remember("张伟住在上海。 Mia moved to Rome.");
  exporter.reset();
});
afterEach(() => served.close());

function spans(): { readonly request: ReadableSpan; readonly inside: readonly ReadableSpan[] } {
  const [request, ...others] = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER);
  expect(others).toEqual([]);
  expect(request).toBeDefined();
  const inside = exporter
    .getFinishedSpans()
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === request!.spanContext().spanId);
  return { request: request!, inside };
}

test("a recall is a span with one for every stage inside, in order and within its time", async () => {
  const { headers, json } = await served.call("/v1/recall", { json: { question: "张伟住在哪里？" } });
  const { request, inside } = spans();
  expect(request.name).toBe("POST /v1/recall");
  expect(request.attributes).toEqual({
    "http.request.method": "POST",
    "http.route": "/v1/recall",
    "http.response.status_code": 200,
    "neuromem.request": headers.get("x-request-id"),
  });
  const stages = inside.filter(({ attributes }) => attributes["neuromem.stage"] !== undefined);
  const told = foundSchema.parse(json).stages;
  expect(
    stages.map(({ attributes }) => [
      attributes["neuromem.stage"],
      attributes["neuromem.action"],
      attributes["neuromem.result"],
    ]),
  ).toEqual(told.map(({ stage, action, result }) => [stage, action, result]));
  expect(stages.length).toBeGreaterThan(2);
  for (const { startTime, endTime } of stages) {
    expect(ms(endTime)).toBeLessThanOrEqual(ms(request.endTime) + 2);
    expect(ms(startTime)).toBeGreaterThanOrEqual(ms(request.startTime) - 2);
  }
});

test("a write has the stages of its way in, and its commits", async () => {
  await served.call("/v1/memories", { json: { said: "我搬到了罗马。", wait: "memory" } });
  const { inside } = spans();
  const names = inside.map(({ name }) => name);
  expect(names).toContain("commit");
  expect(names.some((name) => name.startsWith("memory_insert "))).toBe(true);
});

test("nothing that was said, asked or named stands in a span", async () => {
  await served.call("/v1/memories?scope=secret-scope", {
    json: { said: "秘密 secret-text", wait: "memory" },
  });
  await served.call("/v1/recall?scope=secret-scope", { json: { question: "秘密 secret-text" } });
  await served.call("/v1/memories/secret-id?scope=secret-scope");
  const all = exporter
    .getFinishedSpans()
    .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  expect(all.length).toBeGreaterThan(5);
  expect(JSON.stringify(all)).not.toMatch(/secret|秘密/);
});

test("the caller's trace goes on here", async () => {
  const headers = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
  await served.call("/v1/status", { headers });
  const { request } = spans();
  expect(request.spanContext().traceId).toBe("0af7651916cd43dd8448eb211c80319c");
  expect(request.parentSpanContext?.spanId).toBe("b7ad6b7169203331");
});

test("a refusal is no error of ours; one of ours is", async () => {
  await served.call("/v1/memories/nothing");
  expect(spans().request).toMatchObject({
    name: "GET /v1/memories/{id}",
    status: { code: SpanStatusCode.UNSET },
  });
  exporter.reset();
  await served.memory.close();
  await served.call("/v1/status");
  expect(spans().request).toMatchObject({ status: { code: SpanStatusCode.ERROR } });
});

test("two requests at once do not mix", async () => {
  await Promise.all(["Rome", "上海"].map((question) => served.call("/v1/recall", { json: { question } })));
  const requests = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER);
  const counts = requests.map(
    (request) =>
      exporter
        .getFinishedSpans()
        .filter(
          (span) =>
            span.parentSpanContext?.spanId === request.spanContext().spanId &&
            "neuromem.stage" in span.attributes,
        ).length,
  );
  expect(requests).toHaveLength(2);
  expect(counts[0]).toBeGreaterThan(2);
  expect(counts[1]).toBe(counts[0]);
});

function ms([seconds, nanos]: readonly [number, number]): number {
  return seconds * 1000 + nanos / 1e6;
}
