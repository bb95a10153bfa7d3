/** Which words and phrases is a text about? */
import { z } from "zod";
import { extractKeywords as keywordsOf } from "../text/keywords.ts";
import { termsForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const extractKeywords = defineTask({
  name: "extract_keywords",
  summary: "At most `limit` words and phrases that say what a text is about, the most telling first.",
  fallback: "RAKE over content words.",
  input: z.object({ text: z.string(), limit: z.number().int().min(1) }),
  reply: z.object({ keywords: termsForm }),
  prompt: "extract_keywords",
  placeholders: ["text", "limit"],
  fill: (input) => ({ text: input.text, limit: input.limit }),
  about: (input) => input.text,
  local: ({ text, limit }) => ({ keywords: keywordsOf(text, { limit }).map((keyword) => keyword.text) }),
  settle: ({ keywords }, { limit }) => ({ keywords: keywords.slice(0, limit) }),
});
