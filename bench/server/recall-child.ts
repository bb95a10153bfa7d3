/**
 * The process that is asked over HTTP: the filled memory behind the whole server on one port, and on another a bare Hono app
 * that reads as much and gives back as much as one recall does. Told {"inProcessMs"}, it recalls by itself for so long, with
 * as many callers, and says how often it did: the same process, the same memory, without HTTP.
 */
import { Hono } from "hono";
import { z } from "zod";
import { recallOperation } from "../../src/operations/rows/recall.ts";
import { listen } from "../../src/server/listen.ts";
import { serve } from "../../src/server/serve.ts";
import { createCorpus } from "../engine/corpus.ts";
import { openFilled, QUESTIONS, questionOf } from "../filled-memory.ts";

const [, , file = "", callers = "32"] = process.argv;
const toldSchema = z.object({ inProcessMs: z.number() });

const corpus = createCorpus();
const memory = await openFilled(file, corpus);
const questions = Array.from({ length: QUESTIONS }, (_, n) => questionOf(corpus, n));
const serving = await serve({ memory, port: 0 });
const reply = JSON.stringify(await recallOperation.run(memory, { question: questions[0] }));
const echo = new Hono().post("/echo", async (context) => {
  await context.req.json();
  return context.body(reply, 200, { "content-type": "application/json" });
});
const echoing = await listen(echo, { host: "127.0.0.1", port: 0, limits: { requestMs: 60_000 } });

process.on("message", async (told) => {
  const { inProcessMs } = toldSchema.parse(told);
  process.send?.({ rate: await inProcessRate(inProcessMs) });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ url: serving.url, echo: echoing.url, replyBytes: Buffer.byteLength(reply) });

/** Recalls a second, of as many callers at once as there will be clients. */
async function inProcessRate(ms: number): Promise<number> {
  const start = performance.now();
  let done = 0;
  const work = async (caller: number): Promise<void> => {
    for (let n = caller; performance.now() - start < ms; n++) {
      await memory.recall(questions[n % QUESTIONS] ?? "");
      done++;
    }
  };
  await Promise.all(Array.from({ length: Number(callers) }, (_, caller) => work(caller)));
  return (1000 * done) / (performance.now() - start);
}
