/** In which other words might the answer have been written down? */
import { z } from "zod";
import { questionSchema } from "./dialogue.ts";
import { queriesFor } from "./local/queries.ts";
import { sentencesForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const expandQuery = defineTask({
  name: "expand_query",
  summary: "At most `count` other wordings of a query, to be searched for beside it.",
  fallback: "The query as a statement, its parts, and its names with its keywords.",
  input: z.object({ query: questionSchema, count: z.number().int().min(1) }),
  reply: z.object({ queries: sentencesForm }),
  prompt: "expand_query",
  placeholders: ["query", "count"],
  fill: (input) => ({ query: input.query, count: input.count }),
  about: (input) => input.query,
  local: async ({ query, count }) => ({ queries: (await queriesFor(query)).slice(0, count) }),
  settle: ({ queries }, { query, count }) => {
    const asked = query.trim().toLowerCase();
    return { queries: queries.filter((other) => other.toLowerCase() !== asked).slice(0, count) };
  },
  spoken: (reply) => reply.queries,
});
