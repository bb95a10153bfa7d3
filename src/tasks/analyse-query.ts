/** Which words, persons, times and places does a question name? For the lexical and the structured search (S2-27). */
import { z } from "zod";
import { extractKeywords } from "../text/keywords.ts";
import { findTimes } from "../text/time.ts";
import { printItems, questionSchema } from "./dialogue.ts";
import { namesIn } from "./local/names.ts";
import { distinctTexts, optionalText, optionalTextForm, termsForm, termsOrNoneForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const analyseQuery = defineTask({
  name: "analyse_query",
  summary: "The keywords, persons, time, place and other entities that a question names.",
  fallback: "Keywords by RAKE, names by the entity finder, times by the time reader.",
  input: z.object({
    question: questionSchema,
    /** Names that are known to be persons'. */
    persons: z.array(z.string()).default([]),
  }),
  reply: z.object({
    keywords: termsForm,
    persons: termsOrNoneForm,
    /** As the question says it; to be read against the time of the conversation, never against today. */
    time_expression: optionalTextForm,
    location: optionalTextForm,
    entities: termsOrNoneForm,
  }),
  prompt: "analyse_query",
  placeholders: ["question", "persons"],
  fill: (input) => ({ question: input.question, persons: printItems(input.persons) }),
  about: (input) => input.question,
  local: async ({ question, persons }) => {
    const names = await namesIn(question, persons);
    const keywords = distinctTexts(extractKeywords(question).map(({ text }) => text));
    // Only the words are wanted here; what they mean is read where the time of the conversation is known.
    const [time] = findTimes(question, { at: 0, zone: "UTC" });
    return {
      keywords: keywords.length > 0 ? keywords : [question.trim()],
      persons: [...names.persons],
      time_expression: optionalText(time?.text),
      location: optionalText(names.places[0]),
      entities: [...names.others],
    };
  },
  settle: (reply, { question }) =>
    reply.keywords.length > 0 ? reply : { ...reply, keywords: [question.trim()] },
});
