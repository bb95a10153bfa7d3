import { z } from "zod";
import { defineCall } from "../operation.ts";
import { derivedOutput } from "../schemas/said.ts";

export const flushOperation = defineCall({
  name: "flush",
  summary: { en: "wait until all that was said has been taken up", zh: "等待所有说过的话都已处理" },
  effect: "write",
  isIdempotent: true,
  route: { method: "POST", path: "/v1/flush" },
  tool: null,
  input: z.strictObject({ finish: z.boolean().optional(), judgedOnly: z.boolean().optional() }),
  output: derivedOutput,
  run: (memory, options, { signal }) => memory.flush({ ...options, signal }),
});
