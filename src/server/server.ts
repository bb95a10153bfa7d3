/**
 * What a server is made of, for all its doors (REST, MCP, mem0's REST, the proxy): one memory, whose scopes are handed out by
 * who asks, and the limits that everybody is held to. A door is mounted on the app and never looks at a key itself: it asks
 * `callerOf` (access.ts) for a memory that is bound to a scope the caller may use, and for no other.
 */
import type { Context, Hono } from "hono";
import type { Effect } from "../operations/index.ts";
import type { Memory } from "../runtime/memory.ts";

/** What somebody may do. */
export interface Access {
  /** null: no keys are asked for here. */
  readonly key: string | null;
  readonly scopes: readonly string[] | "all";
  readonly may: "read" | "write";
}

/** Who asks, and for which memory. */
export interface Caller {
  readonly access: Access;
  /** Bound to the scope that was asked for, which the caller may use. */
  readonly memory: Memory;
}

/** Which key is this? In constant time; undefined: none that is valid. Reads the keys anew when they were changed. */
export interface KeyRing {
  find(secret: string): Promise<Access | undefined>;
}

export interface Limits {
  /** Most bytes of a body of JSON. */
  readonly bodyBytes: number;
  /** Most bytes of the lines of an import. */
  readonly importBytes: number;
  /** Most requests a minute of one key, or of one address where there are no keys; 0: as many as come. */
  readonly perMinute: number;
  /** How long a request may take to come in. */
  readonly requestMs: number;
}

export interface Server {
  readonly memory: Memory;
  /** null: no keys are asked for; then it listens on loopback only. */
  readonly keys: KeyRing | null;
  /** Of callers who name none and whose key does not say. */
  readonly scope: string;
  readonly limits: Limits;
  /** Pages of other origins that may call; none unless said. */
  readonly origins: readonly string[];
  readonly version: string;
  /** Aborted when the server is told to end: streams end, new work is refused. */
  readonly closing: AbortSignal;
  readonly log: (line: string) => void;
  /** A line of the log for every request. @default false */
  readonly isVerbose?: boolean | undefined;
}

export interface ServerEnv {
  Variables: { readonly requestId: string; access?: Access };
}

export type ServerContext = Context<ServerEnv>;

/** Adds its routes to the app. */
export type Door = (app: Hono<ServerEnv>, server: Server) => void;

/** access.ts: who asks, for doing what? Refuses with key_invalid (401), key_forbidden or scope_forbidden (403). */
export type CallerOf = (context: ServerContext, server: Server, effect: Effect) => Promise<Caller>;
