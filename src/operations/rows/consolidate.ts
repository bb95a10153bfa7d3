import { z } from "zod";
import { defineCall } from "../operation.ts";
import { stageOutput } from "../schemas/question.ts";

export const consolidateOperation = defineCall({
  name: "consolidate",
  summary: { en: "the design's own upkeep, now", zh: "立即执行该设计的整理" },
  effect: "write",
  isIdempotent: false,
  route: { method: "POST", path: "/v1/consolidate" },
  tool: null,
  input: z.strictObject({}),
  output: z.object({
    added: z.array(z.string()).readonly(),
    retired: z.array(z.string()).readonly(),
    deleted: z.array(z.string()).readonly(),
    tags: z.number(),
    stages: z.array(stageOutput).readonly(),
  }),
  run: (memory, _, { signal }) => memory.consolidate({ signal }),
});
