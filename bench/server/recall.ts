/**
 * How much of the engine's speed is left over HTTP? 32 clients in this process ask a server in another one, which holds a
 * hundred thousand memories; the same process recalls without HTTP, and answers as much without recalling. The three take
 * turns. What a bare Hono app takes for a request is not the server's doing and is subtracted: what is left is compared.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import { createCorpus } from "../engine/corpus.ts";
import { fillFile, QUESTIONS, questionOf } from "../filled-memory.ts";
import { median } from "../measure.ts";
import { inTemporaryFolder } from "../pipeline/temporary-folder.ts";
import { atLeast, atMost, type Row } from "../report.ts";
import { askAtOnce, quantile } from "./http-clients.ts";

const ENTRIES = 100_000;
const CLIENTS = 32;
const ROUNDS = 5;
const WARM_UP = 1;
const ROUND_MS = 4000;
const ECHO_MS = 2000;

const readySchema = z.object({ url: z.string(), echo: z.string(), replyBytes: z.number() });
const rateSchema = z.object({ rate: z.number() });

export function benchHttpRecall(): Promise<Row[]> {
  return inTemporaryFolder(async (folder) => {
    const corpus = createCorpus();
    const file = `${folder}/memory.db`;
    await fillFile(file, corpus, ENTRIES);
    const child = fork(new URL("recall-child.ts", import.meta.url), [file, String(CLIENTS)]);
    try {
      const [said] = await once(child, "message");
      const { url, echo, replyBytes } = readySchema.parse(said);
      const questions = Array.from({ length: QUESTIONS }, (_, n) => questionOf(corpus, n));
      const bodyOf = (n: number) => ({ question: questions[n % QUESTIONS] ?? "" });
      const inProcess: number[] = [];
      const overHttp: number[] = [];
      const bare: number[] = [];
      const times: number[] = [];
      for (let round = -WARM_UP; round < ROUNDS; round++) {
        child.send({ inProcessMs: ROUND_MS });
        const [answer] = await once(child, "message");
        const http = await askAtOnce(`${url}/v1/recall`, CLIENTS, ROUND_MS, bodyOf);
        const echoed = await askAtOnce(`${echo}/echo`, CLIENTS, ECHO_MS, bodyOf);
        if (round < 0) continue;
        inProcess.push(rateSchema.parse(answer).rate);
        overHttp.push(http.rate);
        bare.push(echoed.rate);
        times.push(...http.times);
      }
      const [direct, http, echoed] = [median(inProcess), median(overHttp), median(bare)];
      const without = 1 / (1 / http - 1 / echoed);
      const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
      return [
        {
          what: `HTTP recall, ${ENTRIES / 1000} k entries, ${CLIENTS} clients: part of the in-process rate, a bare Hono echo subtracted`,
          value: without / direct,
          bar: atLeast(0.7, ""),
          measured: `a second: in process ${direct.toFixed(0)}, over HTTP ${http.toFixed(0)}, bare echo ${echoed.toFixed(0)}; replies of ${(replyBytes / 1024).toFixed(0)} KiB; medians of ${ROUNDS} rounds`,
        },
        {
          what: `HTTP recall, ${ENTRIES / 1000} k entries, ${CLIENTS} clients: p99 of p50`,
          value: p99 / p50,
          bar: atMost(5, "×"),
          measured: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${times.length} recalls`,
        },
      ];
    } finally {
      child.disconnect();
    }
  });
}
