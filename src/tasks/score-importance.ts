/** How much does a memory matter, from 1 (brushing teeth) to 10 (a wedding, a death)? Poignancy of Generative Agents. */
import { z } from "zod";
import { scoreImportance as estimate } from "./local/importance.ts";
import { scaleForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const scoreImportance = defineTask({
  name: "score_importance",
  summary: "How much a memory will matter later, as a whole number from 1 (everyday) to 10 (decisive).",
  fallback:
    "Life events, feelings, plans, preferences, names and figures raise it; greetings and routines lower it.",
  input: z.object({ text: z.string() }),
  reply: z.object({ importance: scaleForm(1, 10) }),
  prompt: "score_importance",
  placeholders: ["memory"],
  fill: (input) => ({ memory: input.text }),
  about: (input) => input.text,
  local: (input) => ({ importance: estimate(input.text) }),
});
