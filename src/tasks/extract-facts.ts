/** Which facts does a dialogue tell? Short statements that stand by themselves, with the lines they come from (Mem0, LoCoMo, TiM). */
import { z } from "zod";
import { joinLines, linesSchema, printLines } from "./dialogue.ts";
import { dialogueFacts } from "./local/dialogue-facts.ts";
import { nullableTextForm, numbersOrNoneForm, textForm, unknownNumbers } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

const fact = z.preprocess(
  (value) => (typeof value === "string" ? { text: value } : value),
  z.object({
    text: textForm,
    /** Who said it. */
    speaker: nullableTextForm,
    /** Numbers of the lines it was taken from. */
    sources: numbersOrNoneForm,
  }),
);

export const extractFacts = defineTask({
  name: "extract_facts",
  summary:
    "The facts that a dialogue tells, each a statement that stands by itself, with its speaker and the lines it comes from.",
  fallback: "The sentences that tell something, with names for pronouns and absolute times.",
  input: z.object({ lines: linesSchema }),
  reply: z.object({ facts: z.array(fact) }),
  prompt: "extract_facts",
  placeholders: ["dialogue"],
  fill: (input) => ({ dialogue: printLines(input.lines) }),
  about: (input) => joinLines(input.lines),
  local: async (input) => {
    const found = await dialogueFacts(input.lines);
    return {
      facts: found.map(({ text, speaker, line }) => ({
        text,
        speaker: speaker.trim() || null,
        sources: [line],
      })),
    };
  },
  problems: (reply, input) =>
    unknownNumbers(
      reply.facts.flatMap(({ sources }) => sources),
      input.lines.length,
      "line",
    ),
  spoken: (reply) => reply.facts.map(({ text }) => text),
});
