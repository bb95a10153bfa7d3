/**
 * Embeds the names and facts that a memory brings before its turn to be stored comes, so that nobody waits for a slow
 * embedder but the one who brought them. Those that turn out to be missing only then (their node was deleted meanwhile) are
 * embedded then.
 */
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import type { Collection } from "../../collection/collection.ts";
import type { EmbedderSet } from "../../models/local/embedder-set.ts";
import { entitiesNamed, type NameEmbedder } from "./entity.ts";
import { factText, knownFacts, newFacts } from "./fact.ts";
import { isTelling } from "./knowledge.ts";
import type { Knowledge } from "./triples.ts";

export async function embedNames(
  store: Collection,
  scope: Scope,
  embedder: EmbedderSet | undefined,
  { names, facts }: Knowledge,
  withFacts: boolean,
): Promise<NameEmbedder | undefined> {
  if (embedder === undefined || names.size === 0) return embedder;
  const known = await entitiesNamed(store, scope, [...names.keys()]);
  const own = new Set(known.filter((node) => node.scope === scope).map(({ name }) => name));
  const made = new Map<string, Vector | undefined>();
  const embed: NameEmbedder["embedDocuments"] = async (texts, options) => {
    const missing = texts.filter((text) => text !== "" && !made.has(text));
    const vectors = missing.length === 0 ? [] : await embedder.embedDocuments(missing, options);
    for (const [place, text] of missing.entries()) made.set(text, vectors[place]);
    return texts.map((text) => made.get(text));
  };
  const fresh = [...names].filter(([name]) => !own.has(name) && isTelling(name));
  const unstated = withFacts ? newFacts(facts, await knownFacts(store, scope, facts)) : [];
  await embed([...fresh.map(([, written]) => written), ...unstated.map(factText)], { scope });
  return { embedDocuments: embed };
}
