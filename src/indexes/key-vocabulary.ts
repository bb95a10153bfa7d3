/**
 * Which keys are there, and who lies under each? Answers for a key that is the same, for those like it, and for those that
 * stand in a text, by looking through the keys alone.
 */
import { editDistance } from "../base/nearest-name.ts";
import { simplify } from "../text/simplify.ts";

/** Letters and digits of scripts that put spaces between words. */
const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{M}_]/u;

/** How similar, by ordinal. */
export type Similarities = ReadonlyMap<number, number>;

/** The keys of one scope, each with the ordinals that lie under it. 咖啡館 and 咖啡馆 are one key, however it is asked for. */
export class Vocabulary {
  readonly #holders = new Map<string, Set<number>>();
  /** The letters that similarity is counted over, made when first asked. */
  readonly #letters = new Map<string, Uint32Array>();

  add(given: string, ordinal: number): void {
    const key = simplify(given);
    const known = this.#holders.get(key);
    if (known === undefined) this.#holders.set(key, new Set([ordinal]));
    else known.add(ordinal);
  }

  remove(given: string, ordinal: number): void {
    const key = simplify(given);
    const known = this.#holders.get(key);
    known?.delete(ordinal);
    if (known?.size !== 0) return;
    this.#holders.delete(key);
    this.#letters.delete(key);
  }

  /** Every ordinal with a key that is similar enough, and how similar its most similar one is. */
  like(given: string, threshold: number): Similarities {
    const key = simplify(given);
    if (threshold === 1) return same(this.#holders.get(key));
    const asked = lettersOf(key);
    const found = new Map<number, number>();
    for (const [known, holders] of this.#holders) {
      const similarity = similarityOf(asked, this.#lettersOf(known), threshold);
      if (similarity === 0) continue;
      for (const ordinal of holders) found.set(ordinal, Math.max(similarity, found.get(ordinal) ?? 0));
    }
    return found;
  }

  /** For every key that stands in the text as words of their own, who lies under it. */
  standingIn(given: string): readonly Similarities[] {
    const text = simplify(given);
    return [...this.#holders].flatMap(([key, holders]) => (stands(key, text) ? [same(holders)] : []));
  }

  #lettersOf(key: string): Uint32Array {
    const known = this.#letters.get(key);
    if (known !== undefined) return known;
    const letters = lettersOf(key);
    this.#letters.set(key, letters);
    return letters;
  }
}

function same(holders: ReadonlySet<number> = new Set()): Similarities {
  const found = new Map<number, number>();
  for (const ordinal of holders) found.set(ordinal, 1);
  return found;
}

/** "art" does not stand in "party"; scripts without spaces have no such borders. */
function stands(key: string, text: string): boolean {
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    if (!joins(text[at - 1], key[0]) && !joins(key.at(-1), text[at + key.length])) return true;
  }
  return false;
}

function joins(before = "", after = ""): boolean {
  return SPACED.test(before) && SPACED.test(after);
}

function lettersOf(key: string): Uint32Array {
  return Uint32Array.from(key, (letter) => letter.codePointAt(0) as number);
}

/** 0 where the threshold is not reached. */
function similarityOf(a: Uint32Array, b: Uint32Array, threshold: number): number {
  const longer = Math.max(a.length, b.length);
  // Four of five letters are 0.8, though 1 − 0.8 is a little less than 1 / 5.
  const most = Math.floor((1 - threshold) * longer + 1e-9);
  if (Math.abs(a.length - b.length) > most) return 0;
  const distance = editDistance(a, b, most);
  return distance > most ? 0 : 1 - distance / longer;
}
