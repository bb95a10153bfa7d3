/** Which other queries find what a question asks for? Its parts as statements, its names with its keywords, its keywords alone. */
import { extractKeywords } from "../../text/keywords.ts";
import { distinctTexts } from "../reply-forms.ts";
import { namesIn } from "./names.ts";
import { statementOf } from "./question.ts";
import { subQuestions } from "./sub-questions.ts";

/** Best first, none the question itself, none twice; none at all for a question of nothing but function words. */
export async function queriesFor(question: string, names: readonly string[] = []): Promise<string[]> {
  const parts = subQuestions(question);
  const entities = distinctTexts([...names, ...(await namesIn(question)).all]);
  const keywords = extractKeywords(question, { limit: 4 }).map(({ text }) => text);
  const topics = keywords.filter(
    (keyword) => !entities.some((name) => name.toLowerCase() === keyword.toLowerCase()),
  );
  const queries = [
    ...parts.map(statementOf),
    ...entities.flatMap((name) => (topics.length === 0 ? [name] : [[name, ...topics].join(" ")])),
    ...(topics.length > 1 ? [topics.join(" ")] : []),
  ];
  const asked = question.trim().toLowerCase();
  return distinctTexts(queries).filter((query) => query !== "?" && query.toLowerCase() !== asked);
}
