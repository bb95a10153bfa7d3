/** Clients that keep their connection and ask again as soon as they are answered: how often, and how long each waits. */
import { Agent, request } from "node:http";
import type { Json } from "../../src/base/json.ts";

export interface Asked {
  /** Answers a second. */
  readonly rate: number;
  /** Milliseconds of each. */
  readonly times: readonly number[];
}

export async function askAtOnce(
  url: string,
  clients: number,
  ms: number,
  bodyOf: (n: number) => Json,
): Promise<Asked> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const start = performance.now();
  const times: number[] = [];
  const work = async (client: number): Promise<void> => {
    for (let n = client; performance.now() - start < ms; n++) {
      const asked = performance.now();
      await post(agent, url, bodyOf(n));
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return { rate: times.length / seconds, times };
}

/** The text of the answer; anything but 200 ends the benchmark. */
export function post(agent: Agent, url: string, body: Json): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { "content-type": "application/json", "content-length": bytes.length };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: "POST", agent, headers }, (reply) => {
      const pieces: Buffer[] = [];
      reply.on("data", (piece: Buffer) => pieces.push(piece));
      reply.on("error", reject);
      reply.on("end", () => {
        const text = Buffer.concat(pieces).toString();
        if (reply.statusCode === 200) resolve(text);
        else reject(new Error(`${url} answered with ${reply.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(bytes);
  });
}

/** The value below which this part of them lies: 0.5 is the median. */
export function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
