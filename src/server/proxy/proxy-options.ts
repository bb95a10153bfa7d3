/** What is a proxy told, and what do its routes share? */
import { type Clock, systemClock } from "../../base/clock.ts";
import type { Memory } from "../../runtime/memory.ts";
import type { KeyRing, Limits, Server } from "../server.ts";
import { VERSION } from "../version.ts";
import { type Conversations, createConversations } from "./conversations.ts";
import { SESSION_HEADER, type UpstreamKeys } from "./headers.ts";
import { createRecordings, type Recordings } from "./recordings.ts";
import { openUpstream, type Upstream } from "./upstream.ts";

export interface ProxyOptions {
  /** Its scope is that of callers who name none. */
  readonly memory: Memory;
  /** The base URL of the server that answers, with its /v1. */
  readonly upstream: string;
  readonly upstreamKey?: string | undefined;
  /** null: no keys are asked for; then it is for this machine only. @default null */
  readonly keys?: KeyRing | null | undefined;
  /** @default the memory's own */
  readonly scope?: string | undefined;
  readonly limits?: Limits | undefined;
  /** Pages that may call. @default none */
  readonly origins?: readonly string[] | undefined;
  /** In which clients name their conversation. @default neuromem-session */
  readonly sessionHeader?: string | undefined;
  /** Whether the body's `user` names the scope. @default false */
  readonly userIsScope?: boolean | undefined;
  /** Most tokens and most hits of what is recalled. @default the design's own */
  readonly budget?: number | undefined;
  readonly limit?: number | undefined;
  /** So long a chat waits for the memory. @default 10 000 */
  readonly patienceMs?: number | undefined;
  /** Aborted when the proxy is told to end: new calls are refused. */
  readonly closing?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  /** @default nobody */
  readonly log?: ((line: string) => void) | undefined;
}

export interface ProxyParts {
  readonly server: Server;
  readonly upstream: Upstream;
  readonly conversations: Conversations;
  readonly recordings: Recordings;
  readonly options: ChatOptions;
}

export interface ChatOptions extends UpstreamKeys, Pick<ProxyOptions, "userIsScope" | "budget" | "limit"> {
  readonly patienceMs: number;
}

/** Pictures come in the body of a chat. */
export const PROXY_LIMITS: Limits = {
  bodyBytes: 64 * 1024 * 1024,
  importBytes: 0,
  perMinute: 0,
  requestMs: 120_000,
};

const PATIENCE_MS = 10_000;
/** A timer runs no longer. */
const LONGEST_MS = 2 ** 31 - 1;

export function partsOf(given: ProxyOptions): ProxyParts {
  const { memory, keys = null, scope = memory.scope, limits = PROXY_LIMITS, origins = [] } = given;
  const { closing = new AbortController().signal, clock = systemClock, log = () => undefined } = given;
  const { sessionHeader = SESSION_HEADER, patienceMs = PATIENCE_MS, upstreamKey } = given;
  const { userIsScope, budget, limit } = given;
  return {
    server: { memory, keys, scope, limits, origins, version: VERSION, closing, log },
    upstream: openUpstream(given.upstream),
    conversations: createConversations(clock),
    recordings: createRecordings(log),
    options: {
      sessionHeader: sessionHeader.toLowerCase(),
      patienceMs: Math.min(patienceMs, LONGEST_MS),
      ...{ upstreamKey, userIsScope, budget, limit },
    },
  };
}
