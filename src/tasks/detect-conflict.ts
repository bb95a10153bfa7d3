/** Does a new statement repeat, refine, update or contradict an old one? (C-10; the last link of the chain of detectors.) */
import { z } from "zod";
import { momentSchema, oneLine, withTimestamp } from "./dialogue.ts";
import { confidenceForm, sentencesForm } from "./reply-forms.ts";
import { CONFLICT_KINDS, judgeConflict } from "./rules/conflict.ts";
import { defineTask } from "./task.ts";

const statement = z.object({
  text: z.string(),
  speaker: z.string().optional(),
  happenedAt: momentSchema.optional(),
  zone: z.string().nullish(),
});

export const detectConflict = defineTask({
  name: "detect_conflict",
  summary:
    "Whether a new statement repeats, refines, updates or contradicts an old one, how surely, and why.",
  fallback:
    "Rules: the same attribute of the same entity, negation and words of opposite meaning, shared words.",
  input: z.object({ new: statement, old: statement }),
  reply: z.object({
    kind: z.preprocess(
      (value) => (typeof value === "string" ? value.trim().toLowerCase() : value),
      z.enum(CONFLICT_KINDS),
    ),
    confidence: confidenceForm,
    evidence: sentencesForm,
  }),
  prompt: "detect_conflict",
  placeholders: ["new_statement", "old_statement"],
  fill: (input) => ({ new_statement: print(input.new), old_statement: print(input.old) }),
  about: (input) => input.new.text,
  local: (input) => {
    const { kind, confidence, evidence } = judgeConflict(input.new, input.old);
    return { kind, confidence, evidence: [...evidence] };
  },
  spoken: (reply) => reply.evidence,
});

function print(one: z.infer<typeof statement>): string {
  return oneLine(withTimestamp(one, one.speaker === undefined ? one.text : `${one.speaker}: ${one.text}`));
}
