/**
 * Other words for what is searched for: every query without a way of looking of its own is replaced by those that are
 * made of it. Words that are searched for already are not searched for twice, and a query is never lost.
 */
import type { Question, SubQuery } from "../../pipeline/question.ts";

export async function rephrase(
  question: Question,
  make: (query: SubQuery) => Promise<readonly SubQuery[]>,
): Promise<Question> {
  const made = await Promise.all(
    question.queries.map(async (query) => {
      if (query.route !== undefined) return [query];
      const others = await make(query);
      return others.length === 0 ? [query] : others;
    }),
  );
  const seen = new Set<string>();
  const isNew = ({ text, route }: SubQuery): boolean => {
    const words = text.trim().toLowerCase();
    if (route !== undefined) return true;
    if (seen.has(words)) return false;
    seen.add(words);
    return true;
  };
  return { ...question, queries: made.flat().filter(isNew) };
}

/** A query for other words. It has no vector: vectors stand for the words they were made of. */
export function reworded(query: SubQuery, text: string, weight = query.weight): SubQuery {
  return { ...query, text, weight, embedText: undefined, vectors: [] };
}
