import { z } from "zod";
import { defineCall } from "../operation.ts";

export const statusOperation = defineCall({
  name: "status",
  summary: {
    en: "how the memory of a scope stands: what is in it, what waits, and why",
    zh: "记忆的状况：有什么、在等什么、为什么",
  },
  effect: "read",
  isIdempotent: true,
  route: { method: "GET", path: "/v1/status" },
  tool: "How much is remembered and whether anything still waits to be taken up.",
  input: z.strictObject({}),
  output: z.object({
    scope: z.string(),
    preset: z.string(),
    service: z.string(),
    counts: z.object({ memories: z.number(), turns: z.number(), jobs: z.record(z.string(), z.number()) }),
    waiting: z.number(),
    work: z
      .object({
        state: z.string(),
        attempts: z.number(),
        nextTry: z.number(),
        lastError: z.string().nullable(),
      })
      .nullable(),
    pending: z.number(),
    upkeep: z
      .array(
        z.object({
          actions: z.array(z.string()).readonly(),
          everySeconds: z.number(),
          state: z.string().nullable(),
          nextRun: z.number().nullable(),
          lastError: z.string().nullable(),
        }),
      )
      .readonly(),
    model: z.string().nullable(),
    embedder: z.object({ spaces: z.array(z.string()).readonly(), isLacking: z.boolean() }).nullable(),
  }),
  /** Without the storage's own numbers: they count all scopes, and whoever asks may be bound to one. */
  async run(memory) {
    const { storage: _, collection: __, ...own } = await memory.status();
    return { scope: memory.scope, ...own };
  },
});
