import { z } from "zod";
import { defineCall } from "../operation.ts";
import { rememberedOutput, saidInput, waitInput } from "../schemas/said.ts";

export const rememberOperation = defineCall({
  name: "remember",
  summary: {
    en: "keep a sentence, a turn, a conversation or a judged memory",
    zh: "记住一句话、一轮发言、一段对话或一条判断",
  },
  effect: "write",
  isIdempotent: false,
  route: { method: "POST", path: "/v1/memories" },
  tool: "Keep something for later conversations: a fact, a preference, what was said. Give full sentences that make sense alone.",
  input: z.strictObject({ said: saidInput, wait: waitInput }),
  output: rememberedOutput,
  run: (memory, { said, wait }, { signal }) => memory.remember(said, { wait, signal }),
});
