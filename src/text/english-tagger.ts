/**
 * Which part of speech is each word of an English text? The tagger of `compromise`, loaded when first asked for: it takes
 * some hundred milliseconds to load, and whoever only tokenises or reads dates should not pay for it.
 */
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

/** The tagged words, one list per sentence that is `wanted`: a sentence takes a millisecond or more, with roots half more. */
export async function tagEnglish(
  text: string,
  wanted: (sentence: string) => boolean = () => true,
  withRoots = false,
): Promise<TaggedWord[][]> {
  const sentences = splitSentences(text)
    .flatMap(cutLong)
    .filter((sentence) => wanted(sentence.text));
  if (sentences.length === 0) return [];
  const { default: nlp } = await import("compromise/two");
  return sentences.map((sentence) => {
    const words: TaggedWord[] = [];
    let index = sentence.index;
    const tagged = nlp(sentence.text);
    for (const term of (withRoots ? tagged.compute("root") : tagged).docs.flat()) {
      index += term.pre.length;
      const implicit = "implicit" in term && typeof term.implicit === "string" ? term.implicit : term.normal;
      const plain = implicit.toLowerCase();
      words.push({
        text: term.text,
        plain,
        root: "root" in term && typeof term.root === "string" ? term.root.toLowerCase() : plain,
        index,
        breaks: /[^\s'’]/.test(term.post),
        tags: term.tags ?? new Set(),
      });
      index += term.text.length + term.post.length;
    }
    return words;
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
