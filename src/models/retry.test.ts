import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { seededRandom } from "../base/random.ts";
import type { TraceEvent } from "../base/trace.ts";
import { wrapModel } from "./middleware.ts";
import type { ChatModel } from "./model.ts";
import { type RetryOptions, retrying } from "./retry.ts";
import { retryAfterMs } from "./retry-after.ts";

const HELLO = { messages: [{ role: "user" as const, text: "hi" }] };

/** A model that fails with these errors, then answers. */
function failing(errors: readonly unknown[], onCall: () => void = () => undefined): ChatModel {
  let at = 0;
  return {
    id: "m",
    provider: "p",
    json: "none",
    async generate(_, options) {
      onCall();
      const error = errors[at++];
      if (error !== undefined) throw error;
      options?.onText?.("ok");
      return { text: "ok", toolCalls: [], finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
}

const unavailable = (details: JsonObject = {}) => new MemoryError("model_unavailable", "down.", { details });

async function waits(errors: readonly unknown[], options: RetryOptions = {}, seed = 1): Promise<number[]> {
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  const model = wrapModel(failing(errors), retrying(options, { sleep, random: seededRandom(seed) }));
  await model.generate(HELLO).catch(() => undefined);
  return slept;
}

describe("retrying", () => {
  test("law: waits are below a cap that doubles up to the most, and use all of it", async () => {
    const longest = [0, 0, 0, 0];
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const slept = await waits(
          Array(4).fill(unavailable()),
          { attempts: 5, baseMs: 100, maxMs: 400 },
          seed,
        );
        expect(slept).toHaveLength(4);
        slept.forEach((ms, at) => {
          expect(ms).toBeGreaterThanOrEqual(0);
          expect(ms).toBeLessThan(Math.min(400, 100 * 2 ** at));
          longest[at] = Math.max(longest[at] ?? 0, ms);
        });
      }),
      { seed: 1, numRuns: 200 },
    );
    expect(longest[0]).toBeGreaterThan(90);
    expect(longest[3]).toBeGreaterThan(360);
  });

  test("waits as long as the server asks, but not for hours", async () => {
    const [wait = 0] = await waits([unavailable({ retryAfterMs: 7000 })]);
    expect(wait).toBeGreaterThanOrEqual(7000);
    expect(wait).toBeLessThan(8000);
    expect(await waits([unavailable({ retryAfterMs: 3_600_000 })])).toEqual([]);
  });

  test("what is not retryable, and what is no error of ours, is thrown at once", async () => {
    expect(await waits([new MemoryError("model_refused", "no.")])).toEqual([]);
    expect(await waits([new MemoryError("budget_exceeded", "no.")])).toEqual([]);
    expect(await waits([new TypeError("bug")])).toEqual([]);
  });

  test("a stream that broke off is not begun again, for its pieces were heard", async () => {
    let calls = 0;
    const model: ChatModel = {
      ...failing([]),
      generate: async (_, options) => {
        calls++;
        options?.onText?.("half of a sent");
        throw unavailable();
      },
    };
    const wrapped = wrapModel(model, retrying({}, { sleep: async () => undefined }));
    await expect(wrapped.generate(HELLO, { onText: () => undefined })).rejects.toMatchObject({
      code: "model_unavailable",
    });
    expect(calls).toBe(1);
  });

  test("tells each failed try, and which try a call is", async () => {
    const events: TraceEvent[] = [];
    const attempts: (number | undefined)[] = [];
    const wrapped = wrapModel(
      failing([unavailable(), unavailable()]),
      retrying({}, { sleep: async () => undefined, trace: (event) => events.push(event) }),
      (call, next) => {
        attempts.push(call.options.attempt);
        return next(call.options);
      },
    );
    await wrapped.generate(HELLO);
    expect(attempts).toEqual([1, 2, 3]);
    expect(events.map(({ type }) => type)).toEqual(["warning-raise", "warning-raise"]);
  });

  test("an abort ends the wait", async () => {
    const controller = new AbortController();
    const wrapped = wrapModel(
      failing([unavailable({ retryAfterMs: 50_000 })], () => setTimeout(() => controller.abort(), 5)),
      retrying(),
    );
    const call = wrapped.generate(HELLO, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: "aborted" });
  });
});

test("Retry-After in seconds, as a date, in milliseconds; nonsense is no wish", () => {
  const headers = (values: Record<string, string>) => ({ get: (name: string) => values[name] });
  const now = Date.UTC(2025, 0, 1);
  expect(retryAfterMs(headers({ "retry-after": "2" }), now)).toBe(2000);
  expect(retryAfterMs(headers({ "retry-after": "0.5" }), now)).toBe(500);
  expect(retryAfterMs(headers({ "retry-after": "Wed, 01 Jan 2025 00:00:30 GMT" }), now)).toBe(30_000);
  expect(retryAfterMs(headers({ "retry-after": "Wed, 01 Jan 2020 00:00:00 GMT" }), now)).toBe(0);
  expect(retryAfterMs(headers({ "retry-after-ms": "120", "retry-after": "9" }), now)).toBe(120);
  expect(retryAfterMs(headers({ "retry-after": "soon" }), now)).toBeUndefined();
  expect(retryAfterMs(headers({}), now)).toBeUndefined();
});
