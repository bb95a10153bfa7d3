/** One request over a real socket, its path exactly as it is given: a client that tidies URLs up would hide what is tried. */
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { Json } from "../../src/base/json.ts";

/** Nothing that is tried here may take longer. */
export const ANSWER_MS = 5000;

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

export function send(url: string, { method, path, headers = {}, body }: Outgoing): Promise<Reply> {
  const { hostname, port } = new URL(url);
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const length = bytes === undefined ? {} : { "content-length": String(bytes.length) };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const options = { hostname, port, method, path, agent, headers: { ...length, ...headers }, signal };
    const outgoing = request(options, (reply) => {
      const pieces: Buffer[] = [];
      reply.on("data", (piece: Buffer) => pieces.push(piece));
      reply.on("error", reject);
      reply.on("end", () => {
        const text = Buffer.concat(pieces).toString();
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(bytes);
  });
}

/** Texts as they are, everything else as JSON; halves of surrogate pairs as the bytes they would be. */
export function inUrl(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text
    .split(/([\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])/)
    .map((part, n) => (n % 2 === 1 ? "%ED%A0%80" : encodeURIComponent(part)))
    .join("");
}
