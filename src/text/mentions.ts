/**
 * Where does a text say certain words? Whatever the case, width and Chinese script; a Latin word as a whole, a Han word
 * anywhere. Places are those of the text as it is written, so that what stands there can be masked.
 */
import { simplify } from "./simplify.ts";

export interface Mention {
  readonly start: number;
  /** The first place after it. */
  readonly end: number;
}

export function mentions(text: string, word: string): boolean {
  return findMentions(text, [word]).length > 0;
}

/** In order; mentions that overlap are one. */
export function findMentions(text: string, words: readonly string[]): Mention[] {
  const { folded, starts, ends } = fold(text);
  const found: Mention[] = [];
  for (const word of words) {
    const wanted = fold(word).folded.trim();
    if (wanted === "") continue;
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + 1)) {
      const after = at + wanted.length;
      if (joins(folded[at - 1], wanted[0]) || joins(wanted.at(-1), folded[after])) continue;
      found.push({ start: starts[at] ?? 0, end: ends[after - 1] ?? text.length });
    }
  }
  return united(found);
}

interface Folded {
  readonly folded: string;
  /** For each unit of the folded text: the stretch of the written one that it comes from. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Folding may change lengths (full-width forms, ligatures), so it goes by characters as one sees them. */
function fold(text: string): Folded {
  let folded = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    const plain = simplify(segment.normalize("NFKC").toLowerCase());
    folded += plain;
    for (let i = 0; i < plain.length; i++) {
      starts.push(index);
      ends.push(index + segment.length);
    }
  }
  return { folded, starts, ends };
}

/** Whether two characters side by side are of one word: scripts without spaces end no word. */
function joins(left: string | undefined, right: string | undefined): boolean {
  const spaced = /[\p{L}\p{M}\p{N}_]/u;
  const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
  return [left, right].every((one) => one !== undefined && spaced.test(one) && !spaceless.test(one));
}

function united(mentions: readonly Mention[]): Mention[] {
  const out: Mention[] = [];
  for (const one of mentions.toSorted((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last === undefined || one.start >= last.end) out.push(one);
    else if (one.end > last.end) out[out.length - 1] = { start: last.start, end: one.end };
  }
  return out;
}
