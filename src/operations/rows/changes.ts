import { z } from "zod";
import { defineCall } from "../operation.ts";
import { eventOutput } from "../schemas/entry.ts";

export const changesOperation = defineCall({
  name: "changes",
  summary: { en: "what has changed in a scope since somebody last looked", zh: "自上次查看以来的变化" },
  effect: "read",
  isIdempotent: true,
  route: { method: "GET", path: "/v1/changes" },
  tool: null,
  input: z.strictObject({
    after: z.int().min(0).optional().describe("`next` of the answer before."),
    limit: z.int().min(1).max(1000).optional(),
  }),
  output: z.object({ events: z.array(eventOutput).readonly(), next: z.number() }),
  run: (memory, options) => memory.changes(options),
});
