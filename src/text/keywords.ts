/**
 * Which words and phrases is a text about? RAKE (Rose, Engel, Cramer & Cowley, 2010): stretches of content words between
 * function words are candidates, and a word counts by the company it keeps (degree over frequency). With the counts of a
 * collection at hand the score is weighted by inverse document frequency (Spärck Jones, 1972).
 */

import { splitSentences } from "./sentences.ts";
import { simplify } from "./simplify.ts";
import { isStopWord } from "./stop-words.ts";
import { tokenize } from "./tokenize.ts";
import { splitWords, type Word } from "./words.ts";

export interface Keyword {
  /** As the text first writes it. */
  readonly text: string;
  readonly score: number;
}

export interface KeywordOptions {
  /** @default 8 */
  readonly limit?: number;
  /** In how many of `documents` a token (see tokenize) occurs: makes common words count less. */
  readonly documentFrequency?: ((token: string) => number) | undefined;
  readonly documents?: number | undefined;
}

/** The best keywords, best first; equal scores in the order of the text. */
export function extractKeywords(text: string, options: KeywordOptions = {}): Keyword[] {
  const phrases = candidates(text);
  const scores = wordScores(phrases);
  const weigh = inverseFrequency(options);
  const best = new Map<string, Keyword & { readonly tokens: readonly string[] }>();
  for (const phrase of phrases) {
    const tokens = phrase.words.map(({ text: word }) => word.toLowerCase());
    const key = tokens.join(" ");
    const sum = tokens.reduce((total, token) => total + (scores.get(token) ?? 0) * weigh(token), 0);
    const known = best.get(key);
    // Said again, a phrase counts more, ever less so.
    if (known === undefined) best.set(key, { text: phrase.text, score: sum, tokens });
    else best.set(key, { ...known, score: known.score + sum / 2 });
  }
  const ranked = [...best.values()].sort((a, b) => b.score - a.score);
  return withoutParts(ranked).slice(0, options.limit ?? DEFAULT_LIMIT);
}

const DEFAULT_LIMIT = 8;
const LONGEST_PHRASE = 3;

/** Words of talk that carry no topic, beyond the function words. */
const SMALL_TALK: ReadonlySet<string> = new Set(
  `hey hi hello thanks thank yeah yes no wow oh ok okay well really actually also maybe get got go going went gone come came
  make made take took know think thought feel felt want wanted like look looking see saw seen say said tell told thing
  things stuff lot lots bit way time day today something anything everything someone anyone good great nice cool awesome
  amazing sure sorry please let lets still even much many always never ever one two would could should might been glad
  happy love loved guess hope keep need try trying tried start started super pretty definitely totally last next new
  absolutely since taking starting thinking making doing having getting important agree work give btw lol omg gonna wanna cant dont it's i'm i've i'll i'd that's what's you're don't didn't doesn't can't
  知道 后来 从小 以后 以前 之后 之前 在学 觉得 感觉 认为 想 喜欢 真的 非常 特别 今天 昨天 明天 最近 现在 时间 东西 事情 问题 一起 开始 希望 需要 应该 可能 比较 有点 一点 出来 起来 过来 下来 有些 这种 那种 谢谢 你好 好的 是的 当然
  不错 挺 真 好 做 看 听 吃 买 拿 放 找 用 叫 走 跑 写 天 年 月 日 次 人 点 件 只 条 张 位 家 块 本 大 小 多 少 新 老 高 长 快 慢 早 晚`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

const NOUN_ENDING = /^[馆店厅室房师员家机器课班会节队组部站场院厂城园]$/;

interface Phrase {
  readonly text: string;
  readonly words: readonly Word[];
}

function candidates(text: string): Phrase[] {
  const out: Phrase[] = [];
  for (const sentence of splitSentences(text)) {
    let run: Word[] = [];
    let end = 0;
    for (const word of splitWords(sentence.text)) {
      const gap = sentence.text.slice(end, word.index);
      if (run.length > 0 && !/^ ?$/.test(gap)) run = flush(run, sentence.text, out);
      end = word.index + word.text.length;
      const before = run.at(-1);
      if (before !== undefined && gap === "" && NOUN_ENDING.test(word.text)) {
        // 咖啡|馆, 健身|房: the dictionary cuts the ending off.
        run[run.length - 1] = { text: before.text + word.text, index: before.index };
      } else if (isContent(word.text)) run.push(word);
      else run = flush(run, sentence.text, out);
    }
    flush(run, sentence.text, out);
  }
  return out;
}

function isContent(word: string): boolean {
  const plain = simplify(word).toLowerCase().replaceAll("’", "'");
  if (isStopWord(plain) || SMALL_TALK.has(plain) || /^[a-z]+(?:n't|'(?:re|ve|ll|d|m))$/.test(plain))
    return false;
  if (/[了着过就地得]$|^[一两几][个名位只条张本次些种件家场]/.test(plain)) return false;
  if (/^[\d.,:-]+$/.test(plain)) return /^(?:1[0-9]|20)\d\d$/.test(plain);
  return /^\p{Script=Han}/u.test(plain)
    ? plain.length > 1 || /[猫狗茶酒书车花]/.test(plain)
    : plain.length > 1;
}

function flush(run: readonly Word[], text: string, out: Phrase[]): Word[] {
  for (let start = 0; start < run.length; ) {
    const first = run[start];
    if (first === undefined) break;
    const isHan = /^\p{Script=Han}/u.test(first.text);
    const length = isHan ? repeatedLength(run, start, text) : Math.min(LONGEST_PHRASE, run.length - start);
    const words = run.slice(start, start + length);
    const last = words.at(-1) ?? first;
    out.push({ text: text.slice(first.index, last.index + last.text.length), words });
    start += length;
  }
  return [];
}

/** Chinese words side by side are one term only if the text says them together again: 机器学习. */
function repeatedLength(run: readonly Word[], start: number, text: string): number {
  let length = 1;
  let term = run[start]?.text ?? "";
  while (length < LONGEST_PHRASE && start + length < run.length) {
    const longer = term + (run[start + length]?.text ?? "");
    if (text.split(longer).length < 3) break;
    term = longer;
    length++;
  }
  return length;
}

/** Degree over frequency: how many words a word stands together with, itself included. */
function wordScores(phrases: readonly Phrase[]): Map<string, number> {
  const frequency = new Map<string, number>();
  const degree = new Map<string, number>();
  for (const { words } of phrases) {
    for (const { text } of words) {
      const word = text.toLowerCase();
      frequency.set(word, (frequency.get(word) ?? 0) + 1);
      degree.set(word, (degree.get(word) ?? 0) + words.length);
    }
  }
  return new Map([...degree].map(([word, count]) => [word, count / (frequency.get(word) ?? 1)]));
}

function inverseFrequency(options: KeywordOptions): (word: string) => number {
  const { documentFrequency, documents } = options;
  if (documentFrequency === undefined || documents === undefined || documents <= 0) return () => 1;
  return (word) => {
    const [token] = tokenize(word);
    const holding = token === undefined ? 0 : documentFrequency(token);
    return Math.log(1 + documents / (1 + holding)) / Math.log(1 + documents);
  };
}

/** A phrase that a better one contains adds nothing. */
function withoutParts(ranked: readonly (Keyword & { readonly tokens: readonly string[] })[]): Keyword[] {
  const kept: (Keyword & { readonly tokens: readonly string[] })[] = [];
  for (const phrase of ranked) {
    const isPart = kept.some((better) => phrase.tokens.every((token) => better.tokens.includes(token)));
    if (!isPart) kept.push(phrase);
  }
  return kept.map(({ text, score }) => ({ text, score }));
}
