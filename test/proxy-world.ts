/** For the tests of the proxy: a memory in a file, a scripted model server behind it, and the proxy between on a real socket. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Memory } from "../src/runtime/memory.ts";
import { listen } from "../src/server/listen.ts";
import { createProxyApp, type ProxyApp } from "../src/server/proxy/proxy.ts";
import { PROXY_LIMITS, type ProxyOptions } from "../src/server/proxy/proxy-options.ts";
import { hashEmbedder } from "../src/testing/hash-embedder.ts";
import { type ModelServer, type ModelServerOptions, startModelServer } from "../src/testing/model-server.ts";

export interface ProxyWorld {
  readonly memory: Memory;
  readonly model: ModelServer;
  readonly app: ProxyApp;
  readonly folder: string;
  /** With its /v1, as a client is told it. */
  readonly url: string;
  readonly log: readonly string[];
  /** Posts to /chat/completions. */
  chat(body: unknown, headers?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response>;
  /** What the journal has of a scope, as "role: text", when all is written down. */
  journal(scope?: string): Promise<string[]>;
  close(): Promise<void>;
}

export async function openProxyWorld(
  scripts: ModelServerOptions = {},
  given: Partial<ProxyOptions> | ((folder: string) => Promise<Partial<ProxyOptions>>) = {},
): Promise<ProxyWorld> {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-proxy-"));
  const memory = await Memory.open({ path: join(folder, "m.db"), scope: "mia", embedder: hashEmbedder() });
  const model = await startModelServer(scripts);
  const options = typeof given === "function" ? await given(folder) : given;
  const log: string[] = [];
  const app = createProxyApp({ memory, upstream: model.url, log: (line) => log.push(line), ...options });
  const listening = await listen(app, { host: "127.0.0.1", port: 0, limits: PROXY_LIMITS });
  const url = `${listening.url}/v1`;
  return {
    ...{ memory, model, app, folder, url, log },
    chat: (body, headers = {}, signal) =>
      fetch(`${url}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      }),
    async journal(scope = "mia") {
      await app.settled();
      const { storage } = memory.running();
      const turns = await storage.turns(memory.in(scope).scope, { limit: 1000 });
      return turns.filter((turn) => turn.scope === scope).map(({ role, text }) => `${role}: ${text}`);
    },
    async close() {
      await listening.close(1000);
      await app.close();
      await memory.close();
      await model.close();
      await rm(folder, { recursive: true });
    },
  };
}
