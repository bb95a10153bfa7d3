/**
 * Who and what is named in a text? Persons, places, organisations, products and events of English and Chinese texts, without a
 * model: English by a part-of-speech tagger and capital letters, Chinese by family names, gazetteers and endings.
 */
import { findChineseEntities } from "./chinese-entities.ts";
import { findEnglishEntities } from "./english-entities.ts";
import type { Entity } from "./entity.ts";

export interface EntityOptions {
  /** Names that are known to be persons': the speakers. */
  readonly persons?: readonly string[];
}

const CJK = /[\p{Script=Han}\u3000-\u303f\uff00-\uff65]/gu;

/** Between Chinese words a word with a capital letter inside is a product's name: PyTorch, TensorFlow. */
function camelNames(latin: string): Entity[] {
  return [...latin.matchAll(/(?<![\p{L}\p{N}])\p{L}*\p{Ll}\p{Lu}\p{L}*/gu)].map(({ 0: word, index }) => ({
    ...{ text: word, kind: "product" as const, index },
  }));
}

/** Every name once, in the order of first mention. */
export async function findEntities(text: string, options: EntityOptions = {}): Promise<Entity[]> {
  const known = (options.persons ?? []).filter((name) => name.trim() !== "");
  const found: Entity[] = [];
  // Where the script changes a sentence ends; the places of the names do not move.
  const latin = text.replace(CJK, "\n");
  if (/[A-Z]/.test(latin)) found.push(...(await findEnglishEntities(latin, known)));
  if (/\p{Script=Han}/u.test(text)) found.push(...findChineseEntities(text, known), ...camelNames(latin));
  const byName = new Map<string, Entity>();
  for (const entity of found.sort((a, b) => a.index - b.index)) {
    const key = entity.text.toLowerCase();
    const earlier = byName.get(key);
    if (earlier === undefined) byName.set(key, entity);
    else if (earlier.kind === "other") byName.set(key, { ...earlier, kind: entity.kind });
  }
  return [...byName.values()];
}
