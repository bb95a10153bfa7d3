/** Is this a question to search for (S0-37, S0-94)? Tidies queries, and checks length, language and forbidden words. */
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { defineAction } from "../../pipeline/action.ts";
import type { SubQuery } from "../../pipeline/question.ts";
import { detectLanguage } from "../../text/language.ts";
import { mentions } from "../../text/mentions.ts";
import { blacklistRule } from "../pre-insert/validate/blacklist.ts";
import { languageRule } from "../pre-insert/validate/language.ts";
import { lengthRule } from "../pre-insert/validate/length.ts";
import { reworded } from "./rephrase.ts";

const ruleSchema = z.discriminatedUnion("rule", [lengthRule, languageRule, blacklistRule]);
type Rule = z.infer<typeof ruleSchema>;

const preprocessing = z.strictObject({
  strip: z.boolean().describe("Whether blanks at both ends are taken away."),
  normalise: z.boolean().describe("Whether full-width forms become plain ones and runs of blanks one blank."),
  lowercase: z.boolean().describe("Whether capitals become small letters."),
});

const options = z
  .strictObject({
    preprocessing: preprocessing.describe(
      "What is tidied before the check; the question itself stays as asked.",
    ),
    validation_rules: z
      .array(ruleSchema)
      .describe("What every query must satisfy, asked in this order; one that does not is not searched for."),
    on_fail: z
      .enum(["default", "skip", "error"])
      .describe("When no query is left: search for default_query, look nothing up, or fail."),
    default_query: z
      .string()
      .min(1)
      .nullable()
      .describe("What is searched for when on_fail is default; else null."),
  })
  .refine(({ on_fail, default_query }) => (on_fail === "default") === (default_query !== null), {
    path: ["default_query"],
    error: "must be a text if on_fail is default, and null if it is not",
  });
type Options = z.infer<typeof options>;

export const validateQuery = defineAction({
  stage: "pre_retrieval",
  name: "validate",
  summary: "Tidies queries and refuses those of a wrong length or language or with forbidden words.",
  options,
  aliases: { rules: "validation_rules" },
  claims: ({ preprocessing, on_fail }) => ({
    newQueries: Object.values(preprocessing).some(Boolean) || on_fail === "default",
  }),
  run(question, { note }, options) {
    const tidied = question.queries.map((query) => tidy(query, options));
    const checked = tidied.map((query) => ({ query, problem: problemOf(query.text, options) }));
    const problems = checked.flatMap(({ problem }) => problem ?? []);
    note("problems", problems);
    const queries = checked.filter(({ problem }) => problem === undefined).map(({ query }) => query);
    if (queries.length > 0 || tidied.length === 0) return { ...question, queries };

    const reason = problems.join("; ");
    switch (options.on_fail) {
      case "skip":
        return { ...question, skip: `validate: ${reason}` };
      case "error":
        throw new MemoryError("input_invalid", `The question was refused: ${reason}.`);
      case "default":
        return { ...question, queries: [{ text: options.default_query ?? "", vectors: [], weight: 1 }] };
    }
  },
});

function tidy(query: SubQuery, { preprocessing: { strip, normalise, lowercase } }: Options): SubQuery {
  let { text } = query;
  if (normalise) text = text.normalize("NFKC").replace(/\s+/gu, " ");
  if (strip) text = text.trim();
  if (lowercase) text = text.toLowerCase();
  return text === query.text ? query : reworded(query, text);
}

/** The first rule that a text breaks. It does not repeat the text, for it may be what nobody should read. */
function problemOf(text: string, { validation_rules }: Options): string | undefined {
  for (const rule of validation_rules) {
    const problem = check(text, rule);
    if (problem !== undefined) return `${rule.rule}: it ${problem}`;
  }
  return undefined;
}

function check(text: string, rule: Rule): string | undefined {
  switch (rule.rule) {
    case "length": {
      const length = [...text].length;
      if (rule.min_chars !== null && length < rule.min_chars)
        return `has ${length} characters, fewer than ${rule.min_chars}`;
      if (rule.max_chars !== null && length > rule.max_chars)
        return `has ${length} characters, more than ${rule.max_chars}`;
      return undefined;
    }
    case "language": {
      const language = detectLanguage(text);
      if (rule.allowed.includes(language)) return undefined;
      return `is in the language ${language}, not in ${rule.allowed.join(" or ")}`;
    }
    case "blacklist":
      return rule.words.some((word) => mentions(text, word)) ? "holds a forbidden word" : undefined;
  }
}
