/**
 * In which language is a task asked, and did the reply keep it? Prompts exist in English and Chinese; a text's language is
 * the one its script tells. A reply in another language than its text is a bad one: memories that come back translated
 * are not found again (mem0#3707, #6312; EverOS#53; and the reverse, VoiceMem#8).
 */
import { detectLanguage } from "../text/language.ts";
import { simplify } from "../text/simplify.ts";
import type { PromptValue, TaskLanguage } from "./task.ts";

/** What stands in a prompt where there is nothing. */
export const NONE: Readonly<Record<TaskLanguage, string>> = { en: "(none)", zh: "（无）" };

/** Said to a model that wrote in another language. */
export const OTHER_LANGUAGE: Readonly<Record<TaskLanguage, string>> = {
  en: "It is not in the language of the data; write it in that language, names aside.",
  zh: "回复的语言与数据不同；除专有名词外，请使用数据所用的语言。",
};

const HAN = /\p{Script=Han}/gu;
const HAN_TERM = /\p{Script=Han}+/gu;
const WORD = /\p{Script=Latin}[\p{Script=Latin}\p{M}'’-]*/gu;
/** A reply of fewer foreign words may be all names. */
const FOREIGN_WORDS = 4;

/** English prompts serve every text that is not Chinese. */
export function languageOf(text: string): TaskLanguage {
  return detectLanguage(text) === "zh" ? "zh" : "en";
}

/**
 * Whether a reply's sentences are in another language than the text. Names and terms may be foreign if they are taken
 * from what the model was shown: an English question about Chinese memories is rightly answered with 北京大学.
 */
export function isOtherLanguage(sentences: readonly string[], text: string, shown = text): boolean {
  const reply = sentences.join("\n");
  if (languageOf(text) === "zh") {
    const known = new Set(words(`${text}\n${shown}`));
    return count(reply, HAN) === 0 && words(reply).filter((word) => !known.has(word)).length >= FOREIGN_WORDS;
  }
  if (count(text, HAN) > 0 || count(text, WORD) === 0) return false;
  const known = simplify(shown);
  const own = reply.replace(HAN_TERM, (term) => (known.includes(simplify(term)) ? " " : term));
  return languageOf(own) === "zh";
}

/** The texts a prompt is filled with, as one. */
export function shownTexts(values: Readonly<Record<string, PromptValue>>): string {
  return Object.values(values)
    .filter((value) => typeof value === "string")
    .join("\n");
}

function words(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word]) => word.toLowerCase());
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
