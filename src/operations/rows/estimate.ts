import { z } from "zod";
import { defineCall } from "../operation.ts";
import { turnInput } from "../schemas/said.ts";

const cost = { calls: z.number(), inputTokens: z.number(), outputTokens: z.number() };

export const estimateOperation = defineCall({
  name: "estimate",
  summary: {
    en: "what it would cost to take turns up: calls, tokens, money",
    zh: "估算处理这些对话的调用、词元与费用",
  },
  effect: "read",
  isIdempotent: true,
  route: { method: "POST", path: "/v1/estimate" },
  tool: null,
  input: z.strictObject({
    turns: z.array(z.union([z.string(), turnInput])).max(10_000),
    sample: z.int().min(1).max(1000).optional(),
    price: z.strictObject({ input: z.number().min(0), output: z.number().min(0) }).optional(),
  }),
  output: z.object({
    turns: z.number(),
    sampled: z.number(),
    ...cost,
    money: z.number().nullable(),
    byTask: z.record(z.string(), z.object(cost)),
  }),
  run: (memory, { turns, ...options }, { signal }) => memory.estimate(turns, { ...options, signal }),
});
