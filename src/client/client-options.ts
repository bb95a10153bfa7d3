/**
 * Where is the memory, and how is it asked? What `connect` is given, checked once; a misspelt option is refused. A key may
 * stand in no URL: addresses end up in logs.
 */
import { z } from "zod";
import { parseInput } from "../base/parse-input.ts";
import { parseScope } from "../base/scope.ts";

/** As the platform has it; one of your own may log, sign, or go through a proxy. The body of a large import is a stream. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Of a server that `neuromem serve` started, as http://127.0.0.1:8765; a path before /v1 stays. */
  readonly url: string | URL;
  /** As `neuromem key create` gave it; none where the server asks for none. */
  readonly key?: string | undefined;
  /** Whose memory is meant. @default the key's only scope, else the server's */
  readonly scope?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long the server may be silent before a call is given up; it speaks every 15 s while long work goes on. @default 120 000 */
  readonly timeoutMs?: number | undefined;
  /** How often a call is tried again when the server cannot be reached or is too busy. @default 3 */
  readonly retries?: number | undefined;
}

/** The options, as the client works with them. */
export interface Settings {
  /** Without a slash at its end. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly retries: number;
}

/** The longest a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1;

const optionsSchema = z.strictObject({
  url: z.union([z.string(), z.instanceof(URL)], { error: "must be a URL" }),
  key: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be a key, as neuromem key create gives it")
    .optional(),
  scope: z.string().optional(),
  fetch: z.custom<Fetch>((value) => typeof value === "function", "must be a function").optional(),
  headers: z.record(z.string(), z.string()).optional(),
  timeoutMs: z.int().min(1).max(LONGEST_MS).optional(),
  retries: z.int().min(0).max(20).optional(),
});

export function readClientOptions(options: ClientOptions): {
  readonly settings: Settings;
  readonly scope: string | undefined;
} {
  const { url, key, scope, headers, fetch, timeoutMs, retries } = parseInput(
    optionsSchema,
    options,
    "options of connect",
  );
  const bearer = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return {
    settings: {
      base: baseOf(String(url)),
      headers: { ...headers, ...bearer },
      // Called as a function of its own: a browser's fetch refuses another `this`.
      fetch: fetch ?? ((to, init) => globalThis.fetch(to, init)),
      timeoutMs: timeoutMs ?? 120_000,
      retries: retries ?? 3,
    },
    scope: scope === undefined ? undefined : parseScope(scope),
  };
}

const urlSchema = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    "must be as http://127.0.0.1:8765",
  )
  .refine((text) => {
    const { username, password, search, hash } = URL.parse(text) ?? {};
    return [username, password, search, hash].every((part) => part === undefined || part === "");
  }, "must hold no user, no query and no fragment; a key is given as `key`");

function baseOf(url: string): string {
  const { origin, pathname } = new URL(parseInput(urlSchema, url, "url of connect", "option_invalid"));
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}
