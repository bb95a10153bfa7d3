import { z } from "zod";
import { defineCall } from "../operation.ts";
import { eventOutput } from "../schemas/entry.ts";

export const historyOperation = defineCall({
  name: "history",
  summary: { en: "what became of a memory, step by step", zh: "一条记忆的变化经过" },
  effect: "read",
  isIdempotent: true,
  route: { method: "GET", path: "/v1/memories/{id}/history" },
  tool: null,
  input: z.strictObject({
    id: z.string(),
    after: z.int().min(0).optional(),
    limit: z.int().min(1).max(10_000).optional(),
    looks: z.boolean().optional().describe("Looks, which change nothing but counters, too."),
  }),
  output: z.object({ events: z.array(eventOutput).readonly() }),
  async run(memory, { id, ...options }) {
    return { events: await memory.history(id, options) };
  },
});
