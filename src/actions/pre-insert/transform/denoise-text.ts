/**
 * What is left of a text when the words that tell least leave? SeCom (Pan et al., ICLR 2025) has a trained model drop them
 * (LLMLingua-2) before a segment is embedded; here it is known kinds of words, in this order: fillers, function words,
 * other words by length (long words are rare words and tell more), and last what has digits. Line breaks, punctuation and
 * the speaker at the head of a line stay.
 */
import { simplify } from "../../../text/simplify.ts";
import { isStopWord } from "../../../text/stop-words.ts";
import { splitWords, type Word } from "../../../text/words.ts";

/** `ratio`: how much of its length may stay, above 0; from 1 on the text stays as it is, and one word always does. */
export function denoiseText(text: string, ratio: number): string {
  if (ratio >= 1) return text;
  const surplus = text.length - Math.floor(text.length * ratio);
  const heads = headsOf(text);
  const words = splitWords(text).filter(
    ({ index }) => !heads.some(({ from, to }) => index >= from && index < to),
  );
  const byWorth = words
    .map((word) => ({ word, kind: kindOf(word.text) }))
    .sort(
      (a, b) => a.kind - b.kind || a.word.text.length - b.word.text.length || a.word.index - b.word.index,
    );
  const gone = new Set<Word>();
  let saved = 0;
  for (const { word } of byWorth.slice(0, -1)) {
    if (saved >= surplus) break;
    gone.add(word);
    saved += word.text.length + (text[word.index + word.text.length] === " " ? 1 : 0);
  }
  return without(text, words, gone);
}

/** From the beginning of a line to the colon after a name. */
function headsOf(text: string): { readonly from: number; readonly to: number }[] {
  return [...text.matchAll(/^[^:：\n]{1,40}[:：]/gmu)].map(({ index, 0: head }) => ({
    from: index,
    to: index + head.length,
  }));
}

const FILLER =
  /^(?:u[hm]+|h+m+|oh|ah|hey|hi|wow|well|haha+|yeah|yep|ok(?:ay)?|really|actually|basically|literally|嗯+|哦+|噢+|啊+|呀|哎呀?|哇+|哈+|嘿+|呃|嘛|吧|呢|啦|其实|真的)$/iu;

function kindOf(word: string): number {
  if (/\p{N}/u.test(word)) return 3;
  if (FILLER.test(word)) return 0;
  return isStopWord(simplify(word).toLowerCase().replace(/['’]/g, "")) ? 1 : 2;
}

/** Of the space on both sides of what left, one side stays. */
function without(text: string, words: readonly Word[], gone: ReadonlySet<Word>): string {
  let out = "";
  let at = 0;
  for (const word of words) {
    if (!gone.has(word)) continue;
    out += text.slice(at, word.index);
    at = word.index + word.text.length;
    if (text[at] === " " && /(?:^|\s)$/u.test(out)) at++;
  }
  return (out + text.slice(at))
    .replace(/ +(?=[\n.,;!?\])]|$)/gu, "")
    .replace(/(?<=[[(]) +/gu, "")
    .replace(/(?<=[:：.!?。！？])[,，、;]+|^[,，、;]+ ?/gmu, "")
    .trim();
}
