import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import { parseScope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import { type BudgetOptions, createBudget, withBudget } from "./budget.ts";
import { type Ledger, memoryLedger, openLedger } from "./ledger.ts";
import type { ChatModel, Embedder, Usage } from "./model.ts";

const alice = parseScope("alice");
const bob = parseScope("bob");
const countTokens = (text: string): number => text.length;
const DAY = 24 * 3600 * 1000;

function chat(usage: Usage, fail?: () => unknown): ChatModel & { calls(): number } {
  let calls = 0;
  return {
    id: "m",
    provider: "p",
    json: "none",
    calls: () => calls,
    async generate() {
      calls++;
      const error = fail?.();
      if (error !== undefined) throw error;
      return { text: "ok", toolCalls: [], finish: "stop", usage };
    },
  };
}

const ask = (text: string, maxTokens?: number) => ({
  messages: [{ role: "user" as const, text }],
  maxTokens,
});

describe("withBudget", () => {
  test("a refusal names the limit, what is used and what is left, and sends nothing", async () => {
    const model = chat({ inputTokens: 40, outputTokens: 20 });
    const clock = manualClock(Date.UTC(2025, 2, 4, 12));
    const paid = withBudget(model, createBudget({ perScope: { tokens: 100 } }, { countTokens, clock }));
    await paid.generate(ask("x".repeat(40)), { scope: alice });
    const refused = paid.generate(ask("x".repeat(30), 20), { scope: alice });
    await expect(refused).rejects.toMatchObject({
      code: "budget_exceeded",
      retryable: false,
      details: {
        limit: "tokens",
        account: "alice",
        day: "2025-03-04",
        most: 100,
        used: 60,
        remaining: 40,
        needed: 50,
      },
    });
    await expect(refused).rejects.toThrow(
      /tokens of the scope "alice" for 2025-03-04 is 100: 60 used, 40 left/,
    );
    expect(model.calls()).toBe(1);
  });

  test("every scope has its own, all have one together, and a new day fills them", async () => {
    const clock = manualClock(0);
    const options: BudgetOptions = { perScope: { calls: 2 }, overall: { calls: 3 } };
    const paid = withBudget(
      chat({ inputTokens: 1, outputTokens: 1 }),
      createBudget(options, { countTokens, clock }),
    );
    await paid.generate(ask("a"), { scope: alice });
    await paid.generate(ask("a"), { scope: alice });
    await expect(paid.generate(ask("a"), { scope: alice })).rejects.toMatchObject({
      details: { account: "alice" },
    });
    await paid.generate(ask("a"), { scope: bob });
    await expect(paid.generate(ask("a"), { scope: bob })).rejects.toMatchObject({
      details: { account: "*" },
    });
    clock.advance(DAY);
    await paid.generate(ask("a"), { scope: alice });
  });

  test("a day is the zone's day", async () => {
    const clock = manualClock(Date.UTC(2025, 0, 1, 15, 59));
    const options: BudgetOptions = { perScope: { calls: 1 }, zone: "Asia/Shanghai" };
    const paid = withBudget(
      chat({ inputTokens: 1, outputTokens: 1 }),
      createBudget(options, { countTokens, clock }),
    );
    await paid.generate(ask("a"));
    await expect(paid.generate(ask("a"))).rejects.toMatchObject({
      details: { day: "2025-01-01", account: "public" },
    });
    clock.advance(60_000);
    await paid.generate(ask("a"));
    expect(() => createBudget({ zone: "Mars" }, { countTokens })).toThrow(/IANA/);
  });

  test("money needs prices, and counts input and output at theirs", async () => {
    const model = chat({ inputTokens: 1_000_000, outputTokens: 1_000_000 });
    const free = withBudget(model, createBudget({ perScope: { money: 5 } }, { countTokens }));
    await expect(free.generate(ask("a"))).rejects.toThrow(/no price of "m"/);
    const prices = { m: { inputPerMillion: 1, outputPerMillion: 3 } };
    const paid = withBudget(model, createBudget({ perScope: { money: 5 }, prices }, { countTokens }));
    await paid.generate(ask("a"));
    await expect(paid.generate(ask("a", 400_000))).rejects.toMatchObject({
      details: { limit: "money", used: 4 },
    });
  });

  test("an answered failure costs a call, a cut one also what was sent, and an unsaid usage what went in and came out", async () => {
    const errors = [
      new MemoryError("model_rate_limited", "x", { details: { status: 429 } }),
      new Error("cut"),
    ];
    const ledger = memoryLedger();
    const clock = manualClock(0);
    const paid = withBudget(
      chat({ inputTokens: 0, outputTokens: 0 }, () => errors.shift()),
      createBudget({}, { countTokens, ledger, clock }),
    );
    const spent = () => ledger.spent("alice", "1970-01-01");
    await paid.generate(ask("12345"), { scope: alice }).catch(() => undefined);
    expect(spent()).toMatchObject({ calls: 1, tokens: 0 });
    await paid.generate(ask("12345"), { scope: alice }).catch(() => undefined);
    expect(spent()).toMatchObject({ calls: 2, tokens: 5 });
    await paid.generate(ask("12345"), { scope: alice });
    expect(spent()).toMatchObject({ calls: 3, tokens: 12 });
  });

  test("a useless reply is paid for by what it used; a reply without usage by its text", async () => {
    const ledger = memoryLedger();
    const deps = { countTokens, ledger, clock: manualClock(0) };
    const usage = { inputTokens: 10, outputTokens: 5000 };
    const thought = new MemoryError("reply_invalid", "x", { details: { raw: "", usage } });
    const thinking = withBudget(
      chat(usage, () => thought),
      createBudget({ perScope: { tokens: 5015 } }, deps),
    );
    await expect(thinking.generate(ask("12345"), { scope: alice })).rejects.toBe(thought);
    expect(await ledger.spent("alice", "1970-01-01")).toMatchObject({ calls: 1, tokens: 5010 });
    await expect(thinking.generate(ask("123456"), { scope: alice })).rejects.toMatchObject({
      code: "budget_exceeded",
    });

    const unsaid: ChatModel = {
      ...chat(usage),
      generate: async () => ({
        text: "x".repeat(40_000),
        toolCalls: [],
        finish: "stop",
        usage: { inputTokens: 0, outputTokens: 0 },
      }),
    };
    const silent = withBudget(unsaid, createBudget({ perScope: { tokens: 100 } }, deps));
    await silent.generate(ask("1"), { scope: bob });
    await expect(silent.generate(ask("1"), { scope: bob })).rejects.toMatchObject({
      details: { used: 40_001 },
    });
  });

  test("models that are given one budget spend from it together", async () => {
    const budget = createBudget({ overall: { calls: 1 } }, { countTokens, clock: manualClock(0) });
    const one = withBudget(chat({ inputTokens: 1, outputTokens: 1 }), budget);
    const other = withBudget(chat({ inputTokens: 1, outputTokens: 1 }), budget);
    await one.generate(ask("a"), { scope: alice });
    await expect(other.generate(ask("a"), { scope: bob })).rejects.toMatchObject({
      details: { account: "*", used: 1 },
    });
  });

  test("a ledger that cannot write costs a warning, not the reply, and nothing is forgotten", async () => {
    const kept = memoryLedger();
    let full = true;
    const ledger: Ledger = {
      spent: kept.spent,
      add: (...line) => {
        if (full) throw new Error("disk full");
        return kept.add(...line);
      },
    };
    const events: TraceEvent[] = [];
    const paid = withBudget(
      chat({ inputTokens: 3, outputTokens: 2 }),
      createBudget(
        { perScope: { calls: 3 } },
        { countTokens, ledger, clock: manualClock(0), trace: (event) => events.push(event) },
      ),
    );
    expect((await paid.generate(ask("a"), { scope: alice })).text).toBe("ok");
    await paid.generate(ask("a"), { scope: alice });
    expect(events).toHaveLength(4);
    expect(events[0]).toMatchObject({ type: "warning-raise", code: "storage_io" });
    full = false;
    await paid.generate(ask("a"), { scope: alice });
    expect(await kept.spent("alice", "1970-01-01")).toMatchObject({ calls: 3, tokens: 15 });
    expect(await kept.spent("*", "1970-01-01")).toMatchObject({ calls: 3, tokens: 15 });
    await expect(paid.generate(ask("a"), { scope: alice })).rejects.toMatchObject({ details: { used: 3 } });
  });

  test("law: calls at once never spend more than the limit together", async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 200 }), async (list, most) => {
        const ledger = memoryLedger();
        const embedder: Embedder = {
          id: "e",
          provider: "p",
          dimension: 1,
          maxBatch: 9,
          async embed(texts, options) {
            await new Promise((resolve) => setImmediate(resolve));
            options?.onUsage?.({ inputTokens: texts.join("").length, outputTokens: 0 });
            return texts.map(() => Float32Array.of(1));
          },
        };
        const deps = { countTokens, ledger, clock: manualClock(0) };
        const paid = withBudget(embedder, createBudget({ overall: { tokens: most } }, deps));
        const done = await Promise.allSettled(list.map((size) => paid.embed(["x".repeat(size)])));
        const { tokens } = await ledger.spent("*", "1970-01-01");
        expect(tokens).toBeLessThanOrEqual(most);
        const allowed = list.filter((_, at) => done[at]?.status === "fulfilled");
        expect(tokens).toBe(allowed.reduce((sum, size) => sum + size, 0));
        const left = list.filter((_, at) => done[at]?.status === "rejected");
        for (const size of left) expect(tokens + size).toBeGreaterThan(most);
      }),
      { seed: 1, numRuns: 50 },
    );
  });
});

test("a ledger in a file outlives its process, is shared, and is summed up", async () => {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-"));
  try {
    const path = join(folder, "ledger.jsonl");
    const [one, two] = [await openLedger(path), await openLedger(path)];
    await one.add("alice", "2025-01-01", { calls: 1, tokens: 10, money: 0.5 });
    await two.add("alice", "2025-01-01", { calls: 1, tokens: 5, money: 0 });
    expect(await one.spent("alice", "2025-01-01")).toMatchObject({ calls: 2, tokens: 15, money: 0.5 });
    const again = await openLedger(path);
    expect(await again.spent("alice", "2025-01-01")).toMatchObject({ calls: 2, tokens: 15 });
    expect(await again.spent("alice", "2025-01-02")).toMatchObject({ calls: 0 });
    for (let n = 0; n < 5001; n++) await again.add("bob", "2025-01-01", { calls: 1, tokens: 1, money: 0 });
    const summed = await openLedger(path);
    expect(await summed.spent("bob", "2025-01-01")).toMatchObject({ calls: 5001 });
    await summed.add("bob", "2025-01-01", { calls: 1, tokens: 1, money: 0 });
    expect(await summed.spent("bob", "2025-01-01")).toMatchObject({ calls: 5002 });
    expect(await one.spent("bob", "2025-01-01")).toMatchObject({ calls: 5002 });
  } finally {
    await rm(folder, { recursive: true });
  }
});
