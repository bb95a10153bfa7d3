/** A memory that is served on a free port for as long as a test takes: a real file, real keys, a real socket. */
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Memory } from "../src/runtime/memory.ts";
import type { MemoryOptions } from "../src/runtime/memory-options.ts";
import { createKey, type NewKey, openKeyRing } from "../src/server/keys/key-ring.ts";
import { type ServeOptions, serve } from "../src/server/serve.ts";

export interface ServedMemory {
  readonly url: string;
  readonly port: number;
  readonly memory: Memory;
  readonly keyFile: string;
  /** What the server wrote to its log. */
  readonly lines: readonly string[];
  /** A new key; the server knows it within a second, or at once before its first request. */
  key(options: Omit<NewKey, "name">): Promise<string>;
  /** A call with a key, answered with JSON. */
  call(path: string, options?: CallOptions): Promise<Called>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly scope?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** undefined: it is none. */
  readonly json: ReturnType<typeof JSON.parse>;
}

interface Opening extends Pick<MemoryOptions, "embedder"> {
  readonly hasKeys?: boolean;
  /** @default bm25, which needs no embedder */
  readonly preset?: string;
}

export async function serveMemory(options: Partial<ServeOptions> & Opening = {}): Promise<ServedMemory> {
  const { hasKeys = false, preset = "bm25", embedder, ...given } = options;
  const folder = await mkdtemp(join(tmpdir(), "neuromem-served-"));
  const keyFile = join(folder, "memory.db.keys.json");
  const memory = await Memory.open({ path: join(folder, "memory.db"), preset, scope: "me", embedder });
  const lines: string[] = [];
  const keys = hasKeys ? openKeyRing(keyFile) : null;
  const log = (line: string): void => void lines.push(line);
  const serving = await serve({ memory, port: 0, keys, log, ...given });
  const { url, port } = serving;
  let isClosed = false;
  return {
    ...{ url, port, memory, keyFile, lines },
    key: async (one) => (await createKey(keyFile, { name: "test", ...one })).secret,
    call: (path, one) => call(url + path, one),
    stop: () => serving.close(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await serving.close();
      await memory.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function call(url: string, { method, key, scope, body, headers }: CallOptions = {}): Promise<Called> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(scope !== undefined && { "neuromem-scope": encodeURIComponent(scope) }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
}

/** With headers that `fetch` does not let one set, as Host. */
export function rawRequest(
  options: RequestOptions,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", ...options }, (reply) => {
      let text = "";
      reply.setEncoding("utf8");
      reply.on("data", (piece: string) => {
        text += piece;
      });
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
