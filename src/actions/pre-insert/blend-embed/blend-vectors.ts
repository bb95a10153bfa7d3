/**
 * One vector that says what a memory is about as a whole, in each of its sentences, and in answer to what: the direction of
 * its text, of the mean of its sentences and of the turn before it, each with its weight. A text that nobody said, or that is
 * no more than one sentence, or too many, stands in for its sentences. Vectors of two spaces never meet: the text's own decides, and a
 * sentence or a turn before it in another language counts nothing.
 */
import type { Turn } from "../../../base/turn.ts";
import type { Vector } from "../../../base/vector.ts";
import { blend } from "../../../math/blend.ts";
import { type Draft, textOf } from "../../../pipeline/draft.ts";
import { splitSentences } from "../../../text/sentences.ts";
import { splitWords } from "../../../text/words.ts";
import { linesOf } from "../lines-of.ts";

export interface BlendOptions {
  readonly sentence_weight: number;
  readonly before_weight: number;
  readonly max_sentences: number;
  readonly min_words: number;
}

export interface Blendable {
  readonly draft: Draft;
  /** The turn said just before its first, if it is of the same session. */
  readonly before: Turn | undefined;
}

/** In the order given, all texts embedded in one call; undefined where nobody reads the draft's language. */
export async function blendVectors(
  given: readonly Blendable[],
  embed: (texts: readonly string[]) => Promise<readonly (Vector | undefined)[]>,
  options: BlendOptions,
): Promise<(Vector | undefined)[]> {
  const all = given.map((one) => textsOf(one, options));
  const texts = [...new Set(all.flatMap(({ whole, sentences, before }) => [whole, ...sentences, ...before]))];
  const made = texts.length === 0 ? [] : await embed(texts);
  const vectorOf = new Map(texts.map((text, place) => [text, made[place]]));
  return all.map((one) => blended(one, vectorOf, options));
}

interface Texts {
  readonly whole: string;
  readonly sentences: readonly string[];
  /** One at most. */
  readonly before: readonly string[];
}

function textsOf({ draft, before }: Blendable, options: BlendOptions): Texts {
  const whole = draft.embedText ?? draft.content;
  const [own] = draft.turns;
  // Who speaks is said of the turn before as it is said of the draft's own.
  const isNamed = own === undefined || own.speaker === "" || draft.content.startsWith(markOf(own));
  return {
    whole,
    sentences: options.sentence_weight === 0 ? [] : sentencesOf({ ...draft, content: whole }, options),
    before: options.before_weight === 0 || before === undefined ? [] : [textOf(before, isNamed)],
  };
}

/**
 * Those worth a vector of their own, each with its speaker if the draft names one; what a picture shows is a sentence, too.
 * Talk jumps from one thing to another; what nobody said is a text about one thing, and is found better as a whole.
 */
function sentencesOf(draft: Draft, { max_sentences, min_words }: BlendOptions): readonly string[] {
  const lines = linesOf(draft).filter(({ line }) => line.speaker !== "");
  const pieces = lines.flatMap((one) => {
    const mark = one.text.startsWith(markOf(one.line)) ? markOf(one.line) : "";
    const said = splitSentences(one.line.text).map(({ text }) => text);
    return [
      ...said.map((text) => ({ text: mark + text, isKept: splitWords(text).length >= min_words })),
      ...one.line.captions.map((caption) => ({ text: mark + caption, isKept: true })),
    ];
  });
  const kept = pieces.filter(({ isKept }) => isKept).map(({ text }) => text);
  return pieces.length < 2 || kept.length > max_sentences ? [] : kept;
}

function markOf({ speaker }: { readonly speaker: string }): string {
  return speaker === "" ? "" : `${speaker}: `;
}

function blended(
  texts: Texts,
  vectorOf: ReadonlyMap<string, Vector | undefined>,
  { sentence_weight, before_weight }: BlendOptions,
): Vector | undefined {
  const whole = vectorOf.get(texts.whole);
  if (whole === undefined) return undefined;
  const parts = (some: readonly string[], weight: number) =>
    some.flatMap((text) => {
      const vector = vectorOf.get(text);
      return vector?.space === whole.space ? [{ values: vector.values, weight }] : [];
    });
  const sentences = blend(parts(texts.sentences, 1)) ?? whole.values;
  const values = blend([
    { values: whole.values, weight: 1 },
    { values: sentences, weight: sentence_weight },
    ...parts(texts.before, before_weight),
  ]);
  return values === undefined ? whole : { space: whole.space, values };
}
