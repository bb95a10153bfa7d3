import { afterEach, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { parseScope } from "../base/scope.ts";
import { silent } from "../base/trace.ts";
import { appendTurns } from "../pipeline/journal.ts";
import { parsePreset } from "../preset/load.ts";
import { openPreset } from "../preset/open.ts";
import { openInMemory } from "../storage/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { Worker } from "./worker.ts";

const FACTS = await parsePreset(
  `name: facts
summary: Facts out of single turns.
defaults: recommended
service: { name: neuromem_vdb, collection_name: facts }
stages: { pre_insert: { action: transform, transform_type: fact_extract } }`,
  "facts.yaml",
);
const MIA = parseScope("mia");
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("it did not come true");
}

test("a model that is down for an hour: tries come later and later, the reason is kept, and then all is taken up", {
  timeout: 60_000,
}, async () => {
  const clock = manualClock(Date.UTC(2026, 4, 1));
  const backAt = clock.now() + 3_600_000;
  const { model, close } = await scriptedModel(() =>
    clock.now() < backAt
      ? { status: 503, body: { error: { message: "down" } } }
      : '{"facts":[{"text":"Mia lives in Rome.","sources":[0]}]}',
  );
  const storage = await openInMemory({ clock });
  const memory = await openPreset(FACTS, { storage, model, embedder: hashEmbedder(), clock });
  const worker = new Worker({ storage, memory, clock, trace: silent });
  closing.push(
    () => worker.close(),
    () => memory.close(),
    () => storage.close(),
    close,
  );

  const ask = () => storage.commit(MIA, [worker.ask(MIA)], { actor: "test", cause: "test" });
  await appendTurns(storage, MIA, [{ text: "I moved to Rome." }, { text: "我搬到了罗马。" }], clock);
  await ask();
  const waits: number[] = [];
  for (;;) {
    worker.kick();
    await until(async () => (await worker.job(MIA))?.attempts === waits.length + 1);
    await until(async () => (await worker.job(MIA))?.state !== "running");
    const job = await worker.job(MIA);
    if (job?.state === "done") break;
    expect(job).toMatchObject({ state: "waiting", lastError: expect.stringContaining("503") });
    // More that is said meanwhile does not make it come sooner.
    await ask();
    // Other work in the scope is no try, and leaves moment, count and reason as they are.
    await worker.beside(MIA, undefined, async () => undefined);
    await worker.flush(MIA, { judgedOnly: true });
    const { runAt, attempts, lastError } = job ?? {};
    expect(await worker.job(MIA)).toMatchObject({ state: "waiting", runAt, attempts, lastError });
    waits.push((job?.runAt ?? 0) - clock.now());
    clock.advance(waits.at(-1) ?? 0);
  }
  expect(waits.map((wait) => wait / 1000)).toEqual(Array.from({ length: waits.length }, (_, at) => 2 ** at));
  expect(clock.now()).toBeGreaterThanOrEqual(backAt);
  const stored = await storage.scan(MIA, { collection: "facts", limit: 9, own: true });
  expect(stored.flatMap(({ sources }) => sources)).toHaveLength(2);
});

test("whoever is stopped before its turn comes does not wait for it, and does nothing when it comes", async () => {
  const clock = manualClock(Date.UTC(2026, 4, 1));
  const storage = await openInMemory({ clock });
  const memory = await openPreset(FACTS, { storage, embedder: hashEmbedder(), clock });
  const worker = new Worker({ storage, memory, clock, trace: silent });
  closing.push(
    () => worker.close(),
    () => memory.close(),
    () => storage.close(),
  );
  const busy = Promise.withResolvers<void>();
  const first = worker.alone(MIA, undefined, () => busy.promise);
  const stop = new AbortController();
  let isRun = false;
  const second = worker.alone(MIA, stop.signal, async () => {
    isRun = true;
  });
  stop.abort();
  await expect(second).rejects.toMatchObject({ code: "aborted" });
  busy.resolve();
  await first;
  await worker.alone(MIA, undefined, async () => undefined);
  expect(isRun).toBe(false);
});
