/** What do several statements have in common? The names and keywords that most of them share, each with who shares it. */
import { tagEnglish } from "../../text/english-tagger.ts";
import { findEntities } from "../../text/entities.ts";
import { extractKeywords } from "../../text/keywords.ts";
import { isTalkWord } from "../../text/talk-words.ts";
import { contentWords, overlapOf } from "../rules/statement.ts";

export interface FocalTopic {
  readonly topic: string;
  /** Numbers of the statements that speak of it. */
  readonly statements: readonly number[];
}

/** At most `count`, the most shared first; none speaks of exactly the same statements in the same words. */
export async function focalTopics(statements: readonly string[], count: number): Promise<FocalTopic[]> {
  const small = new Set(statements.flatMap((text) => text.match(/(?<![\p{L}\p{N}])\p{Ll}+/gu) ?? []));
  const names = (await findEntities(statements.join("\n")))
    .map(({ text }) => text.trim().replace(/['’]s$/u, ""))
    // "Got it!" and "Meal times": a word that is written small elsewhere only begins a sentence.
    .filter((name) => !small.has(name.toLowerCase()) || /\p{Script=Han}/u.test(name));
  const nouns = await nounsOf(statements);
  const keywords = statements
    .flatMap((text) => extractKeywords(text, { limit: 3 }))
    .map(({ text }) => text.trim())
    .filter((keyword) => /\p{Script=Han}/u.test(keyword) || nouns.has(lastWord(keyword)));
  const words = statements.map((text) => contentWords(text));
  const found = new Map<string, FocalTopic>();
  for (const topic of [...names, ...keywords]) {
    const own = contentWords(topic);
    const key = [...own].join(" ");
    if (key === "" || found.has(key) || PRONOUN.test(topic) || isTalkWord(lastWord(topic))) continue;
    const holders = words.flatMap((set, number) => (overlapOf(own, set).ofFirst === 1 ? [number] : []));
    if (holders.length > 0) found.set(key, { topic, statements: holders });
  }
  return [...found.values()].sort((a, b) => b.statements.length - a.statements.length).slice(0, count);
}

/** What something is called stands last: "dance studio", "Mia's store". */
function lastWord(topic: string): string {
  return topic.toLowerCase().split(/\s+/u).at(-1) ?? "";
}

/** English words that name something, wherever they stand: people talk about things, not about "creating". */
async function nounsOf(statements: readonly string[]): Promise<ReadonlySet<string>> {
  const words = (await tagEnglish(statements.join("\n"), (sentence) => /[a-z]/iu.test(sentence))).flat();
  const nouns = words.filter(({ tags }) => tags.has("Noun") && !tags.has("Pronoun"));
  return new Set(nouns.map(({ plain }) => plain));
}

const PRONOUN = /^[我你您他她它](?:们)?的?$/u;
