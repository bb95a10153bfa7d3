/**
 * What the question is about, as a list of words (B.0.9, 4): for those that compare memories with it (topic overlap), for a
 * search by words, or in place of the question.
 */
import { z } from "zod";
import type { PreRetrievalContext } from "../../../pipeline/action.ts";
import type { Question, SubQuery } from "../../../pipeline/question.ts";
import { extractKeywords as askForKeywords } from "../../../tasks/extract-keywords.ts";
import { distinctTexts } from "../../../tasks/reply-forms.ts";
import { findEntities } from "../../../text/entities.ts";
import { extractKeywords } from "../../../text/keywords.ts";
import { findNouns } from "../../../text/nouns.ts";
import { ownRoute } from "../merge-routes.ts";
import { rephrase, reworded } from "../rephrase.ts";

export const keywordOptions = z
  .strictObject({
    optimize_type: z.literal("keyword_extract").describe("The words that the question is about."),
    method: z
      .enum(["local", "noun", "model"])
      .describe(
        "local: by rules (RAKE); noun: the nouns, as LD-Agent compares topics by them; model: by the model.",
      ),
    keyword_prompt: z
      .string()
      .min(1)
      .nullable()
      .describe("Prompt of the task extract_keywords; null for the other methods."),
    max_keywords: z.number().int().min(1).describe("How many keywords of one query at most."),
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
      .describe("Whether the keywords of a query are searched for instead of it, or beside it."),
  })
  .refine(({ method, keyword_prompt }) => (method === "model") === (keyword_prompt !== null), {
    path: ["keyword_prompt"],
    error: "must be a prompt for the method model, and null for the others",
  });
type Options = z.infer<typeof keywordOptions>;

/** Of every query by itself; one with a way of looking of its own is searched for as it is. */
export async function extractFromQuestion(
  question: Question,
  context: PreRetrievalContext,
  options: Options,
): Promise<Question> {
  const free = question.queries.filter(({ route }) => route === undefined);
  const texts = new Set(free.length === 0 ? [question.text] : free.map(({ text }) => text));
  const topics = new Map(
    await Promise.all([...texts].map(async (text) => [text, await topicOf(text, context, options)] as const)),
  );
  const rephrased = await rephrase(question, async (query) => {
    const keywords = topics.get(query.text)?.keywords ?? [];
    return searchesFor(query, keywords, question, options);
  });
  const found = [...topics.values()];
  const keywords = distinctTexts([...question.keywords, ...found.flatMap((topic) => topic.keywords)]);
  context.note("keywords", keywords);
  const entities = distinctTexts([...question.entities, ...found.flatMap((topic) => topic.entities)]);
  return { ...rephrased, keywords, entities };
}

interface Topic {
  readonly keywords: readonly string[];
  readonly entities: readonly string[];
}

async function topicOf(text: string, context: PreRetrievalContext, options: Options): Promise<Topic> {
  const { max_keywords, with_entities } = options;
  const entities = with_entities ? (await findEntities(text)).map((entity) => entity.text) : [];
  const found = await keywordsOf(text, context, options);
  return { keywords: distinctTexts([...entities, ...found]).slice(0, max_keywords), entities };
}

/** What a query becomes: itself, the search for its keywords, or both. */
function searchesFor(
  query: SubQuery,
  keywords: readonly string[],
  question: Question,
  { search_by, replace_original }: Options,
): SubQuery[] {
  if (keywords.length === 0 || (search_by === null && !replace_original)) return [query];
  const words = reworded(query, keywords.join(" "));
  const search =
    search_by === null ? words : { ...words, route: ownRoute({ strategy: search_by, keywords }, question) };
  return replace_original ? [search] : [query, search];
}

async function keywordsOf(
  text: string,
  { think }: PreRetrievalContext,
  { method, keyword_prompt, max_keywords: limit }: Options,
): Promise<readonly string[]> {
  switch (method) {
    case "local":
      return extractKeywords(text, { limit }).map((keyword) => keyword.text);
    case "noun":
      return findNouns(text, limit);
    case "model":
      return (await think(askForKeywords, { text, limit }, keyword_prompt ?? undefined)).keywords;
  }
}
