/**
 * Which sentences of a reply only repeat what was recalled for it? Those that say, but for case and signs, exactly what a
 * recalled memory says: by themselves, in a numbered or dated line, or behind "you told me:".
 */
import { plainText } from "../tasks/rules/statement.ts";
import { splitSentences } from "../text/sentences.ts";

/** From where to where in the text, in order. */
export function recalledSpans(text: string, recalled: readonly string[]): [number, number][] {
  const known = new Set(recalled.flatMap((one) => [one, ...sentencesOf(one)]).flatMap(wordings));
  const isKnown = (said: string): boolean => wordings(said).some((words) => known.has(words));
  if (known.size === 0) return [];
  if (isKnown(text)) return [[0, text.length]];
  const spans: [number, number][] = [];
  for (const { text: sentence, index } of splitSentences(text)) {
    if (!isKnown(sentence)) continue;
    // "1." before it is a sentence of its own to whoever splits them, and says nothing without it.
    const between = text.slice(spans.at(-1)?.[1] ?? 0, index);
    const line = between.slice(between.trimEnd().lastIndexOf("\n") + 1);
    const start = LINE_NUMBER.test(line.trim()) ? index - line.length : index;
    spans.push([start, index + sentence.length]);
  }
  return spans;
}

function sentencesOf(text: string): string[] {
  return splitSentences(text).map((sentence) => sentence.text);
}

/** Its number, its date and who said it are not part of what it says. */
function wordings(text: string): string[] {
  const bare = text.replace(LEAD, "");
  return [text, bare, bare.replace(SPEAKER, "")].map(plainText).filter((words) => words !== "");
}

const LEAD = /^\s*(?:[-*•●○◌]\s*)?(?:\d+[.)、．]\s*)?(?:\[[^\]\n]*\]\s*|【[^】\n]*】\s*)?/u;
const LINE_NUMBER = /^(?:[-*•●○◌]\s*)?(?:\d+[.)、．])?$/u;
const SPEAKER = /^[^:：\n]{1,80}[:：]\s*/u;
