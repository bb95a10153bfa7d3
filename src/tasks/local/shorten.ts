/** What does a text say in so many words? Its most central sentences, in their order, cut only if even one is too long. */
import { splitSentences } from "../../text/sentences.ts";
import { chooseSentences } from "../../text/summary.ts";
import { splitWords } from "../../text/words.ts";
import type { TaskLanguage } from "../task.ts";

export interface ShortenOptions {
  /** About how many words at most; a Chinese word is about two characters. */
  readonly words: number;
  readonly language: TaskLanguage;
  /** At most so many sentences. */
  readonly sentences?: number | undefined;
}

/** "" only for a text without words. */
export function shorten(text: string, options: ShortenOptions): string {
  return shortenSentences(
    splitSentences(text).map((sentence) => sentence.text),
    options,
  );
}

/** The same for sentences that are known already: turns, facts, summaries. */
export function shortenSentences(sentences: readonly string[], options: ShortenOptions): string {
  const { words, language, sentences: most = sentences.length } = options;
  const perWord = language === "zh" ? 2 : 6;
  const unique = [...new Set(sentences.map((sentence) => sentence.trim()))].filter((sentence) =>
    /[\p{L}\p{N}]/u.test(sentence),
  );
  const chosen = chooseSentences(unique, { sentences: Math.max(1, most), maxLength: words * perWord });
  const joined = chosen
    .map((index) => ended(unique[index] ?? "", language))
    .join(language === "zh" ? "" : " ");
  return cut(joined, words);
}

function ended(sentence: string, language: TaskLanguage): string {
  return /[\p{P}\p{S}]$/u.test(sentence) ? sentence : `${sentence}${language === "zh" ? "。" : "."}`;
}

function cut(text: string, words: number): string {
  const all = splitWords(text);
  const last = all[words - 1];
  if (last === undefined || all.length <= words) return text;
  return `${text.slice(0, last.index + last.text.length)}…`;
}
