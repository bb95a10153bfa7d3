/**
 * What does a chat cost more when it goes through the proxy? The same call to the same scripted model server, straight and
 * through it, in turns: recalling from ten thousand memories, putting the block in, relaying, and the recording of the calls
 * before. The vectors of the questions are known, so no time of embedding is in it.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { z } from "zod";
import { startModelServer } from "../../src/testing/model-server.ts";
import { createCorpus } from "../engine/corpus.ts";
import { fillFile, QUESTIONS, questionOf } from "../filled-memory.ts";
import { takeTurns } from "../measure.ts";
import { inTemporaryFolder } from "../pipeline/temporary-folder.ts";
import { atMost, type Row } from "../report.ts";
import { post, quantile } from "./http-clients.ts";

const ENTRIES = 10_000;
const ROUNDS = 60;
const PER_ROUND = 5;
const readySchema = z.object({ url: z.string() });

export function benchProxy(): Promise<Row[]> {
  return inTemporaryFolder(async (folder) => {
    const corpus = createCorpus();
    const file = `${folder}/memory.db`;
    await fillFile(file, corpus, ENTRIES);
    const model = await startModelServer({ chat: "That is what I remember of it." });
    const child = fork(new URL("proxy-child.ts", import.meta.url), [file, model.url]);
    const agent = new Agent({ keepAlive: true });
    try {
      const [said] = await once(child, "message");
      const { url } = readySchema.parse(said);
      const chat = (base: string, task: number): Promise<string> =>
        post(agent, `${base}/chat/completions`, {
          model: "scripted",
          messages: [
            { role: "system", content: "You are a helpful assistant." },
            { role: "user", content: questionOf(corpus, task % QUESTIONS) },
          ],
        });
      const turns = await takeTurns(ROUNDS, 3, {
        straight: { run: (task) => chat(model.url, task), times: PER_ROUND },
        proxied: { run: (task) => chat(`${url}/v1`, task), times: PER_ROUND },
      });
      expectReminded(model.requests.at(-1)?.body);
      const [straight, proxied] = [turns("straight"), turns("proxied")];
      const p95 = turns("proxied", (times) => quantile(times, 0.95));
      return [
        {
          what: `proxy overhead per chat call, ${ENTRIES / 1000} k entries, p50 without embedding`,
          value: proxied - straight,
          bar: atMost(15, "ms"),
          measured: `p50 of ${ROUNDS * PER_ROUND}: straight ${straight.toFixed(2)} ms, through the proxy ${proxied.toFixed(2)} ms (p95 ${p95.toFixed(1)} ms), the calls before being recorded meanwhile`,
        },
      ];
    } finally {
      agent.destroy();
      child.disconnect();
      await model.close();
    }
  });
}

/** A proxy that does nothing is quick: the last call must have brought memories. */
function expectReminded(body: unknown): void {
  const known = JSON.stringify(body).length;
  if (known < 1000) throw new Error(`The proxied call brought no memories: ${JSON.stringify(body)}`);
}
