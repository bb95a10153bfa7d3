/**
 * Which texts bear on a question, without vectors? Shared content words, the rarer among the texts the heavier (inverse
 * document frequency), as the part of the question's weight that a text covers.
 */
import { isStopWord } from "../../text/stop-words.ts";
import { contentWords } from "../rules/statement.ts";
import { questionWords } from "./question.ts";

export interface Relevance {
  /** Which text, as a place in the given list. */
  readonly index: number;
  /** Part of the question's weight that the text covers, 0 to 1. */
  readonly coverage: number;
  /** The words it covers. */
  readonly shared: readonly string[];
}

/** Every text with what it covers, the best first, ties in the given order. */
export function rankByRelevance(question: string, texts: readonly string[]): Relevance[] {
  const sets = texts.map((text) => contentWords(text));
  const words = asCut([...questionWords(question)], sets);
  const weights = new Map(words.map((word) => [word, weightOf(word, sets)]));
  const total = sum(weights.values());
  return sets
    .map((set, index): Relevance => {
      const shared = words.filter((word) => set.has(word));
      const covered = sum(shared.map((word) => weights.get(word) ?? 0));
      return { index, coverage: total === 0 ? 0 : covered / total, shared };
    })
    .sort((a, b) => b.coverage - a.coverage || a.index - b.index);
}

/** The question's words that no text has. */
export function uncoveredWords(question: string, texts: readonly string[]): string[] {
  const sets = texts.map((text) => contentWords(text));
  return asCut([...questionWords(question)], sets).filter((word) => !sets.some((set) => set.has(word)));
}

/** Where a Chinese word ends is a matter of opinion: 猫叫 in a question is 猫 and 叫 if the texts know those and not it. */
function asCut(words: readonly string[], sets: readonly ReadonlySet<string>[]): string[] {
  const isKnown = (word: string): boolean => sets.some((set) => set.has(word));
  const pieces = (word: string): string[] => {
    if (!/^\p{Script=Han}{2,}$/u.test(word) || isKnown(word)) return [word];
    const characters = [...word];
    for (let at = 1; at < characters.length; at++) {
      const parts = [characters.slice(0, at).join(""), characters.slice(at).join("")];
      const content = parts.filter((part) => !isStopWord(part));
      if (content.length > 0 && content.every(isKnown)) return content;
    }
    return [word];
  };
  return [...new Set(words.flatMap(pieces))];
}

function weightOf(word: string, sets: readonly ReadonlySet<string>[]): number {
  const holders = sets.filter((set) => set.has(word)).length;
  return Math.log(1 + (sets.length - holders + 0.5) / (holders + 0.5)) + 0.2;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
