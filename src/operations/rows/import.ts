import { z } from "zod";
import { defineLinesIn } from "../operation.ts";
import { waitInput } from "../schemas/said.ts";

export const importOperation = defineLinesIn({
  name: "import",
  summary: { en: "take in what an export wrote; nothing comes twice", zh: "导入导出的内容；不会重复" },
  effect: "write",
  isIdempotent: true,
  route: { method: "POST", path: "/v1/import" },
  tool: null,
  input: z.strictObject({ wait: waitInput }),
  output: z.object({
    turns: z.number(),
    entries: z.number(),
    edges: z.number(),
    known: z.number(),
    path: z.enum(["restored", "derived"]),
  }),
  run: (memory, options, lines, { signal, onProgress }) =>
    memory.import(lines, { ...options, signal, onProgress }),
});
