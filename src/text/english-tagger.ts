/**
 * Which part of speech is each word of an English text? The tagger of `compromise`, loaded when first asked for: it takes
 * some hundred milliseconds to load, and whoever only tokenises or reads dates should not pay for it.
 */
import { createLru } from "../base/lru.ts";
import { type Sentence, splitSentences } from "./sentences.ts";

export interface TaggedWord {
  /** As written; "" for the second half of a contraction ("'m" of "I'm"). */
  readonly text: string;
  /** In full and lower-case: "am", "not". */
  readonly plain: string;
  /** As a dictionary lists it, where roots were asked for: "child" of "children"; else as `plain`. */
  readonly root: string;
  /** Where it stands in the whole text. */
  readonly index: number;
  /** Whether it is followed by a comma, dash, bracket or the like. */
  readonly breaks: boolean;
  /** Tags as compromise names them: Noun, Verb, Person, Place … */
  readonly tags: ReadonlySet<string>;
}

/**
 * quick: by dictionary, endings and neighbours, a fifth of a millisecond for a sentence; whole: corrected by what the whole
 * sentence is like, which takes five times as long; roots: with these, half longer still.
 */
export type Tagging = "quick" | "whole" | "roots";

/** The tagged words, one list per sentence that is `wanted`. */
export async function tagEnglish(
  text: string,
  wanted: (sentence: string) => boolean = () => true,
  tagging: Tagging = "whole",
): Promise<TaggedWord[][]> {
  const sentences = splitSentences(text)
    .flatMap(cutLong)
    .filter((sentence) => wanted(sentence.text));
  if (sentences.length === 0) return [];
  const { default: nlp } = await import("compromise/two");
  const tagged = ({ text: sentence }: Sentence): readonly TaggedWord[] =>
    recent.get(`${tagging}\n${sentence}`, () => {
      if (tagging === "quick") return wordsOf(nlp.tokenize(sentence).compute(QUICK).docs.flat());
      const view = nlp(sentence);
      return wordsOf((tagging === "roots" ? view.compute("root") : view).docs.flat());
    });
  return sentences.map((sentence) =>
    tagged(sentence).map((word) => ({ ...word, index: sentence.index + word.index })),
  );
}

/** What the library does with a sentence, without the last and longest step, its patterns of whole sentences. */
const QUICK = [
  "contractions",
  "alias",
  "machine",
  "index",
  "freeze",
  "lexicon",
  "preTagger",
  "contractionTwo",
  "unfreeze",
];

/** One turn is asked for its names, its triples and its topics in a row, and is near the lines after it. */
const KEPT_SENTENCES = 256;
const recent = createLru<string, readonly TaggedWord[]>(KEPT_SENTENCES);

interface Term {
  readonly text: string;
  readonly pre: string;
  readonly post: string;
  readonly normal: string;
  readonly tags?: ReadonlySet<string>;
}

/** Places are counted from the beginning of the sentence. */
function wordsOf(terms: readonly Term[]): TaggedWord[] {
  let index = 0;
  return terms.map((term) => {
    const { text, pre, post, normal, tags = new Set() } = term;
    const plain = (
      "implicit" in term && typeof term.implicit === "string" ? term.implicit : normal
    ).toLowerCase();
    const at = index + pre.length;
    index = at + text.length + post.length;
    return {
      text,
      plain,
      root: "root" in term && typeof term.root === "string" ? term.root.toLowerCase() : plain,
      index: at,
      breaks: /[^\s'’]/.test(post),
      tags,
    };
  });
}

/** What runs on for pages without a full stop is no sentence: it is tagged piece by piece. */
const LONGEST_SENTENCE = 1000;

function cutLong(sentence: Sentence): Sentence[] {
  const out: Sentence[] = [];
  for (let at = 0; at < sentence.text.length; ) {
    const rest = sentence.text.slice(at);
    const space = rest.length > LONGEST_SENTENCE ? rest.lastIndexOf(" ", LONGEST_SENTENCE) : -1;
    const length = space > 0 ? space : Math.min(rest.length, LONGEST_SENTENCE);
    out.push({ text: rest.slice(0, length), index: sentence.index + at });
    at += length;
  }
  return out;
}
