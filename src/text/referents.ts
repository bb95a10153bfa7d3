/** Who and what has a text named, in English, in Chinese or in both? In the order they are named. */
import { findChineseReferents } from "./chinese-referents.ts";
import { findEnglishReferents } from "./english-referents.ts";
import type { Referent, ReferentOptions } from "./referent.ts";

export type { Referent, ReferentOptions } from "./referent.ts";

export async function findReferents(text: string, options: ReferentOptions): Promise<Referent[]> {
  // Where the script changes a sentence ends; the places of the names do not move.
  const latin = text.replace(HAN, (letter) => "\n".repeat(letter.length));
  const english = /[A-Za-z]{2}/.test(latin) ? await findEnglishReferents(latin, options) : [];
  const chinese = /\p{Script=Han}/u.test(text) ? findChineseReferents(text, options) : [];
  return [...english, ...chinese].sort((a, b) => a.end - b.end);
}

const HAN = /[\p{Script=Han}\u3000-\u303f\uff00-\uff65]/gu;
