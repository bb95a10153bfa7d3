/**
 * What the question is about, as a list of words (B.0.9, 4): for those that compare memories with it (topic overlap), for a
 * search by words, or in place of the question.
 */
import { z } from "zod";
import type { PreRetrievalContext } from "../../../pipeline/action.ts";
import type { Question } from "../../../pipeline/question.ts";
import { extractKeywords as askForKeywords } from "../../../tasks/extract-keywords.ts";
import { distinctTexts } from "../../../tasks/reply-forms.ts";
import { findEntities } from "../../../text/entities.ts";
import { extractKeywords } from "../../../text/keywords.ts";

export const keywordOptions = z
  .strictObject({
    optimize_type: z.literal("keyword_extract").describe("The words that the question is about."),
    method: z
      .enum(["local", "model"])
      .describe("local: by rules (RAKE), asking nobody; model: by the model."),
    keyword_prompt: z
      .string()
      .min(1)
      .nullable()
      .describe("Prompt of the task extract_keywords; null for the method local."),
    max_keywords: z.number().int().min(1).describe("How many keywords at most."),
    with_entities: z
      .boolean()
      .describe("Whether the names in the question are found, too, and count as keywords before all others."),
    search_by: z
      .enum(["lexical", "key"])
      .nullable()
      .describe(
        "A search for the keywords by this way of looking; null: none, they only go with the question.",
      ),
    replace_original: z
      .boolean()
      .describe("Whether the keywords are searched for instead of the question, or beside it."),
  })
  .refine(({ method, keyword_prompt }) => (method === "model") === (keyword_prompt !== null), {
    path: ["keyword_prompt"],
    error: "must be a prompt for the method model, and null for local",
  });
type Options = z.infer<typeof keywordOptions>;

export async function extractFromQuestion(
  question: Question,
  context: PreRetrievalContext,
  options: Options,
): Promise<Question> {
  const { max_keywords, with_entities, search_by, replace_original } = options;
  const text = question.queries[0]?.text ?? question.text;
  const entities = with_entities ? (await findEntities(text)).map((entity) => entity.text) : [];
  const found = await keywordsOf(text, context, options);
  const keywords = distinctTexts([...entities, ...found]).slice(0, max_keywords);
  context.note("keywords", keywords);
  if (keywords.length === 0) return question;

  const search = {
    text: keywords.join(" "),
    vectors: [],
    weight: 1,
    ...(search_by === null ? {} : { route: { strategy: search_by, keywords } }),
  };
  const added = replace_original || search_by !== null ? [search] : [];
  return {
    ...question,
    keywords,
    entities: distinctTexts([...question.entities, ...entities]),
    queries: replace_original ? added : [...question.queries, ...added],
  };
}

async function keywordsOf(
  text: string,
  { think }: PreRetrievalContext,
  { keyword_prompt, max_keywords: limit }: Options,
): Promise<string[]> {
  if (keyword_prompt === null) return extractKeywords(text, { limit }).map((keyword) => keyword.text);
  return (await think(askForKeywords, { text, limit }, keyword_prompt)).keywords;
}
