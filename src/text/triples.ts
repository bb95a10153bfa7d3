/**
 * Who does what to what? Subject–relation–object triples of English and Chinese sentences, by patterns over words: the
 * local stand-in for a model's extraction. Pronouns stay as they are; name the speakers first (see coreference).
 */
import { findChineseTriples } from "./chinese-triples.ts";
import { findEnglishTriples } from "./english-triples.ts";
import type { Triple } from "./triple.ts";

/** The triples in the order of the text, each once. */
export async function findTriples(text: string): Promise<Triple[]> {
  const found: Triple[] = [];
  if (/[a-z]/i.test(text)) found.push(...(await findEnglishTriples(text.replace(CJK, "\n"))));
  if (/\p{Script=Han}/u.test(text)) found.push(...findChineseTriples(text));
  const seen = new Set<string>();
  return found.filter((triple) => {
    const key = JSON.stringify([triple.subject, triple.relation, triple.object]).toLowerCase();
    return seen.size < seen.add(key).size;
  });
}

const CJK = /[\p{Script=Han}\u3000-\u303f\uff00-\uff65]/gu;
