/**
 * A server to be tormented: a process of its own, with keys. The tormentor's key opens a scope for every call that is tried;
 * another scope, which it does not open, holds a secret. The ids of that scope are among the words that are tried.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import type { Json } from "../../src/base/json.ts";
import { OPERATIONS } from "../../src/operations/index.ts";
import { createKey } from "../../src/server/keys/key-ring.ts";
import { type ServedProcess, startServing } from "../fixtures/served-process.ts";
import { type Reply, send } from "./send.ts";
import type { Known } from "./values-of-schema.ts";

/** In the text of the other scope and in nothing that is ever sent afterwards. */
export const SECRET = "canary-7f3a91-金丝雀";
export const OTHER_SCOPE = "someone-else";
/** For requests that are no call of the table. */
export const OWN_SCOPE = "fuzz:own";

const changesSchema = z.object({ events: z.array(z.object({ seq: z.number() })) });
const rememberedSchema = z.object({ turns: z.array(z.string()), memories: z.array(z.string()).nullable() });

export interface FuzzWorld {
  readonly url: string;
  readonly key: string;
  /**
   * Puts a few memories into a scope of the tormentor's. What is known then are the ids and events of these, and of the other
   * scope: nobody here may learn what those stand for.
   */
  fill(scope: string): Promise<Known>;
  exported(scope: string): Promise<string>;
  /** That it lives, that the other scope is as it was, and what it logged meanwhile. */
  expectUnharmed(): Promise<void>;
  close(): Promise<void>;
}

export function scopeOf(call: string): string {
  return `fuzz:${call}`;
}

export async function openFuzzWorld(): Promise<FuzzWorld> {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-fuzz-"));
  const keys = join(folder, "keys.json");
  const own = [...OPERATIONS.map(({ name }) => scopeOf(name)), OWN_SCOPE];
  const { secret: key } = await createKey(keys, { name: "fuzz", scopes: own });
  const { secret: otherKey } = await createKey(keys, { name: "other", scopes: [OTHER_SCOPE] });
  const served = await startServing({ file: join(folder, "memory.db"), keys, requestMs: 3000 });
  const { url } = served;

  const ask = (secret: string, scope: string, path: string, body?: Json): Promise<Reply> =>
    send(url, {
      method: body === undefined ? "GET" : "POST",
      path,
      headers: { ...headersOf(secret, scope), ...(body === undefined ? {} : JSON_BODY) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const asked = async (...request: Parameters<typeof ask>): Promise<string> => {
    const { status, text } = await ask(...request);
    expect(status, text.slice(0, 300)).toBe(200);
    return text;
  };
  const remember = async (secret: string, scope: string, said: Json): Promise<Known> => {
    const reply = await asked(secret, scope, "/v1/memories", { said, wait: "memory" });
    const { turns, memories } = rememberedSchema.parse(JSON.parse(reply));
    const { events } = changesSchema.parse(JSON.parse(await asked(secret, scope, "/v1/changes")));
    return { texts: [...turns, ...(memories ?? [])], numbers: events.map(({ seq }) => seq) };
  };
  const exported = (secret: string, scope: string): Promise<string> => asked(secret, scope, "/v1/export");

  const other = await remember(otherKey, OTHER_SCOPE, [
    { text: `The safe opens with ${SECRET}.`, speaker: "Zoe", session: "vault" },
    { judgment: `${SECRET} is what nobody else may know.` },
  ]);
  const before = contentOf(await exported(otherKey, OTHER_SCOPE));
  expect(before.includes(SECRET)).toBe(true);

  return {
    url,
    key,
    async fill(scope) {
      const own = await remember(key, scope, [
        { text: "I moved to Rome in May.", speaker: "Mia", session: "session-1" },
        { text: "我喜欢喝绿茶，住在杭州。", speaker: "小明", metadata: { a: { b: 1 } } },
        { judgment: "Mia works at a hospital.", tags: ["work"] },
      ]);
      return { texts: [...own.texts, ...other.texts], numbers: [...own.numbers, ...other.numbers] };
    },
    exported: (scope) => exported(key, scope),
    async expectUnharmed() {
      const health = await send(url, { method: "GET", path: "/health" });
      expect(health.status, served.log()).toBe(200);
      expect(contentOf(await exported(otherKey, OTHER_SCOPE))).toBe(before);
    },
    close: () => closed(served, folder),
  };
}

export const JSON_BODY = { "content-type": "application/json" };

export function headersOf(key: string, scope: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, "neuromem-scope": encodeURIComponent(scope) };
}

/** Without the first line, which says when it was written, and the last, which sums up. */
function contentOf(bundle: string): string {
  return bundle.trim().split("\n").slice(1, -1).join("\n");
}

async function closed(served: ServedProcess, folder: string): Promise<void> {
  await served.end("SIGKILL");
  await rm(folder, { recursive: true, force: true });
}
