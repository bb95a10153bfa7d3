/**
 * Which sentences say most of what a text says? TextRank (Mihalcea & Tarau, 2004): sentences vote for those they share
 * words with, the shared count being normalised by the logarithms of both lengths, and votes of good sentences weigh more.
 */
import { splitSentences } from "./sentences.ts";
import { tokenize } from "./tokenize.ts";

export interface SummaryOptions {
  /** @default 3 */
  readonly sentences?: number;
  /** Stop before the summary grows longer than this many characters; the best sentence is always there. */
  readonly maxLength?: number | undefined;
}

/** The best sentences in the order of the text, joined as the text's script joins sentences. */
export function summarize(text: string, options: SummaryOptions = {}): string {
  const sentences = splitSentences(text).map((sentence) => sentence.text);
  const chosen = chooseSentences(sentences, options);
  const spaced = /[A-Za-z]/.test(text) && !/\p{Script=Han}.*\p{Script=Han}/su.test(text);
  return chosen.map((index) => sentences[index] ?? "").join(spaced ? " " : "");
}

/** Indexes of the chosen sentences, ascending: for callers whose sentences are turns or facts. */
export function chooseSentences(sentences: readonly string[], options: SummaryOptions = {}): number[] {
  const { sentences: count = DEFAULTS.sentences, maxLength = Number.POSITIVE_INFINITY } = options;
  const scores = rankSentences(sentences);
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const chosen: number[] = [];
  let length = 0;
  for (const index of order) {
    if (chosen.length >= count) break;
    const size = (sentences[index] ?? "").length;
    if (chosen.length > 0 && length + size > maxLength) continue;
    chosen.push(index);
    length += size;
  }
  return chosen.sort((a, b) => a - b);
}

/** A score for each sentence; they add up to 1. */
export function rankSentences(sentences: readonly string[]): Float64Array {
  const count = sentences.length;
  const tokens = sentences.map((sentence) => new Set(tokenize(sentence)));
  const links = similarities(tokens);
  const outgoing = links.map((row) => row.reduce((sum, [, weight]) => sum + weight, 0));
  let scores: Float64Array = new Float64Array(count).fill(1 / Math.max(1, count));
  for (let round = 0; round < DEFAULTS.rounds; round++) {
    const next = step(scores, links, outgoing);
    let change = 0;
    for (let i = 0; i < count; i++) change += Math.abs((next[i] as number) - (scores[i] as number));
    scores = next;
    if (change < DEFAULTS.tolerance) break;
  }
  return scores;
}

/** `holders`: a word links a sentence with so many before it at most, which keeps long texts linear. */
const DEFAULTS = { sentences: 3, damping: 0.85, rounds: 50, tolerance: 1e-6, holders: 100 } as const;

type Links = readonly (readonly (readonly [to: number, weight: number])[])[];

function step(scores: Float64Array, links: Links, outgoing: readonly number[]): Float64Array {
  const count = scores.length;
  const next = new Float64Array(count);
  let loose = 0;
  for (let from = 0; from < count; from++) {
    const total = outgoing[from] ?? 0;
    const score = scores[from] as number;
    if (total === 0) loose += score;
    else
      for (const [to, weight] of links[from] ?? [])
        next[to] = (next[to] as number) + (score * weight) / total;
  }
  // A sentence that shares no word with any other gives its vote to all alike.
  const base = (1 - DEFAULTS.damping) / count + (DEFAULTS.damping * loose) / count;
  for (let i = 0; i < count; i++) next[i] = base + DEFAULTS.damping * (next[i] as number);
  return next;
}

/** Shared words by way of an inverted list, so that only pairs that share something are ever looked at. */
function similarities(tokens: readonly ReadonlySet<string>[]): Links {
  const holders = new Map<string, number[]>();
  const links: [number, number][][] = tokens.map(() => []);
  for (const [index, words] of tokens.entries()) {
    const shared = new Map<number, number>();
    for (const word of words) {
      const earlier = holders.get(word);
      if (earlier === undefined) {
        holders.set(word, [index]);
        continue;
      }
      for (const other of earlier.slice(-DEFAULTS.holders)) shared.set(other, (shared.get(other) ?? 0) + 1);
      earlier.push(index);
    }
    for (const [other, common] of shared) {
      const size = Math.log(1 + words.size) + Math.log(1 + (tokens[other]?.size ?? 0));
      links[index]?.push([other, common / size]);
      links[other]?.push([index, common / size]);
    }
  }
  return links;
}
