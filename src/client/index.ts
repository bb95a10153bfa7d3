/**
 * `neuromem/client`: the memory of a server, for browsers and other processes.
 *
 *     const memory = connect({ url: "http://127.0.0.1:8765", key, scope: "mia" });
 *     await memory.remember({ speaker: "Mia", text: "I moved to Rome." });
 *     const { hits } = await memory.recall("Where does Mia live?");
 *     await memory.close();
 */
import { type ClientOptions, readClientOptions } from "./client-options.ts";
import { MemoryClient } from "./memory-client.ts";

/** Nothing is sent before the first call. */
export function connect(options: ClientOptions): MemoryClient {
  const { settings, scope } = readClientOptions(options);
  return new MemoryClient({ settings, closing: new AbortController(), calls: new Set() }, scope);
}

export { type ErrorCode, MemoryError } from "../base/errors.ts";
export { type Filter, where } from "../base/filter.ts";
export type { Stoppable, Told } from "./ask-server.ts";
export type { ClientOptions, Fetch } from "./client-options.ts";
export type { EventsOptions, LiveEvent } from "./live-events.ts";
export type { MemoryClient } from "./memory-client.ts";
