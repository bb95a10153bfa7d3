import { z } from "zod";
import { defineCall } from "../operation.ts";

export const reembedOperation = defineCall({
  name: "reembed",
  summary: {
    en: "give memories the vectors that the embedder at work has not made yet",
    zh: "补齐当前嵌入模型的向量",
  },
  effect: "write",
  isIdempotent: true,
  route: { method: "POST", path: "/v1/reembed" },
  tool: null,
  input: z.strictObject({}),
  output: z.object({
    entries: z.number(),
    kept: z.number(),
    left: z.number(),
    spaces: z.array(z.string()).readonly(),
  }),
  run: (memory, _, { signal, onProgress }) => memory.reembed({ signal, onProgress }),
});
