import { z } from "zod";
import { filterSchema } from "../../base/filter.ts";
import { defineCall } from "../operation.ts";
import { entryOutput } from "../schemas/entry.ts";

export const listOperation = defineCall({
  name: "list",
  summary: { en: "the memories of a scope, page by page", zh: "分页列出记忆" },
  effect: "read",
  isIdempotent: true,
  route: { method: "GET", path: "/v1/memories" },
  tool: "Memories page by page, oldest first; give `next` of the page before as `after`.",
  input: z.strictObject({
    filter: filterSchema.optional(),
    after: z.string().optional().describe("`next` of the page before."),
    limit: z.int().min(1).max(1000).optional(),
    all: z.boolean().optional().describe("Those that were replaced or archived, too."),
  }),
  output: z.object({ entries: z.array(entryOutput).readonly(), next: z.string().nullable() }),
  run: (memory, options) => memory.list(options),
});
