/** What is said to a memory: sentences, turns of a conversation, judged memories. */
import { z } from "zod";
import { jsonObjectSchema } from "../../base/json.ts";
import { newTurnSchema } from "../../base/turn.ts";
import { momentInput } from "../moment.ts";

export const turnInput = newTurnSchema.extend({ happenedAt: momentInput.optional() });

export const judgedInput = z.strictObject({
  judgment: z.string().describe("What holds."),
  reasoning: z.string().optional().describe("Why it is believed."),
  type: z.enum(["knowledge", "event", "skill", "task", "emotional"]).optional(),
  tags: z.array(z.string()).max(1000).optional(),
  strength: z.int32().optional(),
  pinned: z.boolean().optional(),
  importance: z.number().min(0).max(1).optional(),
  happenedAt: momentInput.optional(),
  session: z.string().max(256).optional(),
  speaker: z.string().max(256).optional(),
  metadata: jsonObjectSchema.optional().describe("Your own fields; the memory has them as metadata.own."),
});

const one = z.union([z.string(), turnInput, judgedInput], {
  error: "must be a text, a turn { text, speaker, … } or a judged memory { judgment, … }",
});
export const saidInput = z
  .union([one, z.array(one).max(10_000)], {
    error: "must be a text, a turn { text, speaker, … }, a judged memory { judgment, … }, or a list of them",
  })
  .describe("A sentence, a turn, a judged memory, or a list of them.");

export const waitInput = z
  .enum(["journal", "memory"])
  .optional()
  .describe("journal: return as soon as it is safe; memory: when it can be recalled.");

export const derivedOutput = z.object({ windows: z.number(), turns: z.number(), waiting: z.number() });

export const rememberedOutput = z.object({
  turns: z.array(z.string()).readonly().describe("Ids of what was written to the journal."),
  memories: z
    .array(z.string())
    .readonly()
    .nullable()
    .describe("Memories that stand for it; null: not waited for."),
  derived: derivedOutput.nullable(),
  delayed: z.string().nullable().describe("Why it is not taken up yet; it is safe and will be tried again."),
});
