import { z } from "zod";
import { defineCall } from "../operation.ts";
import { judgedInput } from "../schemas/said.ts";

const ids = z.array(z.string()).max(1000);

export const feedbackOperation = defineCall({
  name: "feedback",
  summary: {
    en: "tell what came of a recall: useful, new, the same",
    zh: "反馈回忆的结果：有用的、新的、相同的",
  },
  effect: "write",
  isIdempotent: false,
  route: { method: "POST", path: "/v1/feedback" },
  tool: "After answering: ids of memories that helped, new judged memories, groups of ids that say the same.",
  input: z.strictObject({
    useful: ids.optional().describe("Ids of memories that helped."),
    new: z.array(judgedInput).max(1000).optional(),
    merge: z.array(ids).max(1000).optional().describe("Groups of two or more ids that say the same."),
  }),
  output: z.object({
    strengthened: z.array(z.string()).readonly(),
    remembered: z.array(z.string()).readonly(),
    merged: z.array(z.object({ id: z.string(), from: z.array(z.string()).readonly() })).readonly(),
    delayed: z.string().nullable(),
  }),
  run: (memory, given) => memory.feedback(given),
});
