import { z } from "zod";
import { defineCall } from "../operation.ts";
import { derivedOutput } from "../schemas/said.ts";

/** By the design at work: to go over to another one concerns every scope, and is the owner's to do (`neuromem rebuild --to`). */
export const rebuildOperation = defineCall({
  name: "rebuild",
  summary: { en: "make a scope's memories anew from its journal", zh: "由日志重新生成记忆" },
  effect: "write",
  isIdempotent: true,
  route: { method: "POST", path: "/v1/rebuild" },
  tool: null,
  input: z.strictObject({}),
  output: derivedOutput,
  run(memory, _, { signal, onProgress }) {
    let turns = 0;
    const onWindow = (done: { readonly turns: readonly unknown[] }): void => {
      turns += done.turns.length;
      onProgress?.(turns, 0);
    };
    return memory.rebuild({ signal, onWindow });
  },
});
