/**
 * A memory, served. Who calls this owns the memory: it is neither opened nor closed here.
 *
 *     const serving = await serve({ memory });
 *     console.log(serving.url); // http://127.0.0.1:8765
 *     await serving.close();
 *     await memory.close();
 */
import { setMaxListeners } from "node:events";
import { MemoryError } from "../base/errors.ts";
import type { Memory } from "../runtime/memory.ts";
import { createApp } from "./app.ts";
import { isLoopback } from "./host-guard.ts";
import { listen } from "./listen.ts";
import type { KeyRing, Limits, Server } from "./server.ts";
import { VERSION } from "./version.ts";

export interface ServeOptions {
  /** Its scope is that of callers who name none. */
  readonly memory: Memory;
  /** @default 127.0.0.1 */
  readonly host?: string | undefined;
  /** 0: any that is free. @default 8765 */
  readonly port?: number | undefined;
  /** Whoever calls shows one; without, only this machine is listened to. */
  readonly keys?: KeyRing | null | undefined;
  /** Pages that may call, besides our own. @default none */
  readonly origins?: readonly string[] | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** How long `close` waits for what is under way. @default 10 000 */
  readonly graceMs?: number | undefined;
  /** Told what went wrong that nobody meant; with `isVerbose` of every request. @default nobody */
  readonly log?: ((line: string) => void) | undefined;
  readonly isVerbose?: boolean | undefined;
}

export interface Serving {
  readonly url: string;
  readonly port: number;
  /** Takes no new requests, ends the streams and answers what is under way. */
  close(): Promise<void>;
}

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 8765;
export const DEFAULT_GRACE_MS = 10_000;
export const DEFAULT_LIMITS: Omit<Limits, "perMinute"> = {
  bodyBytes: 8 * 1024 * 1024,
  importBytes: 1024 * 1024 * 1024,
  requestMs: 120_000,
};
/** Of a key; without keys whoever calls is this machine's own, and is not counted. */
export const DEFAULT_PER_MINUTE = 600;

export async function serve(options: ServeOptions): Promise<Serving> {
  const { memory, host = DEFAULT_HOST, port = DEFAULT_PORT, keys = null, origins = [] } = options;
  const { limits: given, graceMs = DEFAULT_GRACE_MS, log = () => undefined, isVerbose } = options;
  refuseWithoutKeys(host, keys);
  const ending = new AbortController();
  // Every stream listens to it.
  setMaxListeners(0, ending.signal);
  const limits = { ...DEFAULT_LIMITS, perMinute: keys === null ? 0 : DEFAULT_PER_MINUTE, ...given };
  const server: Server = {
    ...{ memory, keys, scope: memory.scope, limits, origins, version: VERSION },
    ...{ closing: ending.signal, log, isVerbose },
  };
  const listening = await listen(createApp(server), { host, port, limits, log });
  return {
    url: listening.url,
    port: listening.port,
    async close() {
      ending.abort();
      await listening.close(graceMs);
    },
  };
}

/** Whoever is reached by others asks who they are. */
export function refuseWithoutKeys(host: string, keys: KeyRing | null): void {
  if (keys !== null || isLoopback(host)) return;
  throw new MemoryError(
    "option_invalid",
    `On ${host} others can reach this server, and there is no key. Valid: make one with neuromem key create --name NAME --scopes all, or listen on 127.0.0.1.`,
  );
}
