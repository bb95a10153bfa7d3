/** What does a dialogue tell about who somebody is? Traits, preferences and facts of one speaker (LD-Agent's persona). */
import { z } from "zod";
import { joinLines, linesSchema, printLines } from "./dialogue.ts";
import { personaOf } from "./local/persona.ts";
import { textForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const PERSONA_KINDS = ["trait", "preference", "fact"] as const;

const trait = z.preprocess(
  (value) => (typeof value === "string" ? { text: value, kind: "trait" } : value),
  z.object({ text: textForm, kind: z.enum(PERSONA_KINDS).catch("trait") }),
);

export const extractPersona = defineTask({
  name: "extract_persona",
  summary:
    "What a dialogue tells about one speaker that lasts: traits, preferences, facts of life; none is a valid answer.",
  fallback:
    "The speaker's sentences that state an attribute, an opinion, a habit or a quality of themselves.",
  input: z.object({ speaker: z.string(), lines: linesSchema }),
  reply: z.object({
    traits: z.preprocess(
      (value) => (typeof value === "string" ? (NO_TRAIT.test(value) ? [] : [value]) : value),
      z.array(trait),
    ),
  }),
  prompt: "extract_persona",
  placeholders: ["speaker", "dialogue"],
  fill: (input) => ({ speaker: input.speaker, dialogue: printLines(input.lines) }),
  about: (input) => joinLines(input.lines),
  local: async (input) => ({ traits: await personaOf(input.speaker, input.lines) }),
  spoken: (reply) => reply.traits.map(({ text }) => text),
});

const NO_TRAIT = /^\W*(?:no[_ ]traits?|none|无|没有)?\W*$/iu;
