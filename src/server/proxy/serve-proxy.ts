/**
 * The proxy on a port. Who calls this owns the memory: it is neither opened nor closed here.
 *
 *     const serving = await serveProxy({ memory, upstream: "https://api.openai.com/v1", upstreamKey });
 *     console.log(serving.url); // http://127.0.0.1:8766/v1, the base URL for clients
 *     await serving.close();
 *     await memory.close();
 */
import { listen } from "../listen.ts";
import { DEFAULT_GRACE_MS, DEFAULT_HOST, refuseWithoutKeys, type Serving } from "../serve.ts";
import { createProxyApp } from "./proxy.ts";
import { PROXY_LIMITS, type ProxyOptions } from "./proxy-options.ts";

export interface ServeProxyOptions extends Omit<ProxyOptions, "closing"> {
  /** @default 127.0.0.1 */
  readonly host?: string | undefined;
  /** 0: any that is free. @default 8766 */
  readonly port?: number | undefined;
  /** How long `close` waits for answers that are under way. @default 10 000 */
  readonly graceMs?: number | undefined;
}

export const DEFAULT_PROXY_PORT = 8766;

export async function serveProxy(options: ServeProxyOptions): Promise<Serving> {
  const { host = DEFAULT_HOST, port = DEFAULT_PROXY_PORT, graceMs = DEFAULT_GRACE_MS, ...given } = options;
  refuseWithoutKeys(host, given.keys ?? null);
  const ending = new AbortController();
  const app = createProxyApp({ ...given, closing: ending.signal });
  const { limits = PROXY_LIMITS, log } = given;
  const listening = await listen(app, { host, port, limits, log });
  return {
    url: `${listening.url}/v1`,
    port: listening.port,
    async close() {
      ending.abort();
      await listening.close(graceMs);
      // What was answered last is being written down.
      await app.close();
    },
  };
}
