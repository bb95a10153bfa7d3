import { z } from "zod";
import { defineCall } from "../operation.ts";
import { rememberedOutput, turnInput, waitInput } from "../schemas/said.ts";

const side = z.union([z.string(), turnInput.omit({ role: true })], {
  error: "must be a text, or a turn { text, speaker, … } without a role",
});

export const recordOperation = defineCall({
  name: "record",
  summary: {
    en: "keep what a user and an assistant said to each other",
    zh: "记录用户与助手的一次往来",
  },
  effect: "write",
  isIdempotent: false,
  route: { method: "POST", path: "/v1/exchanges" },
  tool: null,
  input: z.strictObject({
    user: side.optional(),
    assistant: side.optional(),
    session: z.string().max(256).optional(),
    recalled: z
      .array(z.union([z.string(), z.looseObject({ content: z.string(), text: z.string().optional() })]))
      .max(1000)
      .optional()
      .describe(
        "What was recalled for the answer, as hits or ids: the answer's repetitions of it are no news.",
      ),
    wait: waitInput,
  }),
  output: rememberedOutput,
  run: (memory, { wait, ...exchange }, { signal }) => memory.record(exchange, { wait, signal }),
});
