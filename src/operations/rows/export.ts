import { z } from "zod";
import { defineLinesOut } from "../operation.ts";

export const exportOperation = defineLinesOut({
  name: "export",
  summary: {
    en: "a scope as lines of JSON: journal, memories, vectors, edges",
    zh: "以 JSON 行导出一个范围的全部内容",
  },
  effect: "read",
  isIdempotent: true,
  route: { method: "GET", path: "/v1/export" },
  tool: null,
  input: z.strictObject({
    vectors: z.boolean().optional().describe("Most of the size; without them they are made anew."),
  }),
  output: z.string(),
  run: (memory, options, { signal, onProgress }) => memory.export({ ...options, signal, onProgress }),
});
