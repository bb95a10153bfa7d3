/**
 * The passages that multi-hop questions are answered from, in the two ways they are published: a list of { title, text }
 * (MuSiQue) or an object title → sentences (HotpotQA, 2WikiMultihopQA). A passage is what HippoRAG made of it: its title, a
 * line break, its text. One that stands twice, title and text, is taken once, under its first place: whichever copy was found
 * would otherwise decide whether it counts.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { LeftOut } from "./left-out.ts";
import type { DataFile } from "./loaded.ts";

const sentencesSchema = z.array(z.string());
const listSchema = z.array(z.object({ title: z.string(), text: z.string() }));
const objectSchema = z.record(z.string(), sentencesSchema);

export interface Passage {
  readonly title: string;
  readonly text: string;
}

export interface Corpus {
  /** By their place, as text. */
  readonly passages: ReadonlyMap<string, Passage>;
  /** The place of a passage: by title and text; by title alone where the text differs, and only one has it. */
  refOf(passage: Passage): string | undefined;
  /** The place of a passage by what it reads as a whole. */
  refOfWhole(whole: string): string | undefined;
}

export function readCorpus({ path, value }: DataFile, leftOut: LeftOut): Corpus {
  const what = `corpus ${path}`;
  const list = Array.isArray(value)
    ? parseInput(listSchema, value, what)
    : Object.entries(parseInput(objectSchema, value, what)).map(([title, sentences]) => ({
        title,
        text: joinSentences(sentences),
      }));
  return corpusOf(list, leftOut);
}

export function corpusOf(list: readonly Passage[], leftOut?: LeftOut): Corpus {
  const passages = new Map<string, Passage>();
  const byWhole = new Map<string, string>();
  const byTitle = new Map<string, string[]>();
  for (const [place, passage] of list.entries()) {
    const [ref, whole] = [String(place), passageText(passage)];
    if (byWhole.has(whole)) {
      leftOut?.add("passages that stand in the corpus before");
      continue;
    }
    passages.set(ref, passage);
    byWhole.set(whole, ref);
    byTitle.set(passage.title, [...(byTitle.get(passage.title) ?? []), ref]);
  }
  return {
    passages,
    refOf(passage) {
      const [ref, ...more] = byTitle.get(passage.title) ?? [];
      return byWhole.get(passageText(passage)) ?? (more.length === 0 ? ref : undefined);
    },
    refOfWhole: (whole) => byWhole.get(whole),
  };
}

export function passageText({ title, text }: Passage): string {
  return `${title}\n${text}`;
}

/** HotpotQA's sentences bring the space before them, 2WikiMultihopQA's do not, and Chinese has none. */
export function joinSentences(sentences: readonly string[]): string {
  const bringSpaces = sentences.slice(1).some((sentence) => /^\s/u.test(sentence));
  if (bringSpaces) return sentences.join("");
  return sentences
    .filter((sentence) => sentence !== "")
    .reduce(
      (text, sentence) => (/(?:^|\s|[。！？」』”])$/u.test(text) ? text + sentence : `${text} ${sentence}`),
      "",
    );
}
