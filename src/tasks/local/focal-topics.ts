/** What do several statements have in common? The names and keywords that most of them share, each with who shares it. */
import { findEntities } from "../../text/entities.ts";
import { extractKeywords } from "../../text/keywords.ts";
import { contentWords, overlapOf } from "../rules/statement.ts";

export interface FocalTopic {
  readonly topic: string;
  /** Numbers of the statements that speak of it. */
  readonly statements: readonly number[];
}

/** At most `count`, the most shared first; none speaks of exactly the same statements in the same words. */
export async function focalTopics(statements: readonly string[], count: number): Promise<FocalTopic[]> {
  const names = (await findEntities(statements.join("\n"))).map(({ text }) => text.trim());
  const keywords = statements
    .flatMap((text) => extractKeywords(text, { limit: 3 }))
    .map(({ text }) => text.trim());
  const words = statements.map((text) => contentWords(text));
  const found = new Map<string, FocalTopic>();
  for (const topic of [...names, ...keywords]) {
    const own = contentWords(topic);
    const key = [...own].join(" ");
    if (key === "" || found.has(key) || PRONOUN.test(topic)) continue;
    const holders = words.flatMap((set, number) => (overlapOf(own, set).ofFirst === 1 ? [number] : []));
    if (holders.length > 0) found.set(key, { topic, statements: holders });
  }
  return [...found.values()].sort((a, b) => b.statements.length - a.statements.length).slice(0, count);
}

const PRONOUN = /^[我你您他她它](?:们)?的?$/u;
