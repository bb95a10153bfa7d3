/** How large is a graph of HippoRAG 2? Counted in the store, and by the paper's rules over the triples it was made of. */
import type { EntryId } from "../../src/base/ids.ts";
import type { Scope } from "../../src/base/scope.ts";
import type { Storage } from "../../src/storage/storage.ts";

export interface GraphSizes {
  readonly passages: number;
  readonly phrases: number;
  readonly facts: number;
  /** Edges from passages to phrases. */
  readonly context: number;
  /** Pairs of phrases that facts join, and the sum of their counts. */
  readonly pairs: number;
  readonly statements: number;
  /** Edges from passages to facts. */
  readonly states: number;
}

/** What a model read out of one passage, as HippoRAG's recordings have it: some of the triples are none. */
export interface RecordedDocument {
  readonly extracted_triples: readonly (readonly string[])[];
}

const PAGE = 1000;

export async function graphSizes(storage: Storage, scope: Scope, collection: string): Promise<GraphSizes> {
  const kinds = new Map<string, number>();
  const memories: EntryId[] = [];
  const entities: EntryId[] = [];
  for (let after: EntryId | undefined; ; ) {
    const page = await storage.scan(scope, { collection, limit: PAGE, after, own: true });
    for (const { id, kind } of page) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if (kind === "entity") entities.push(id);
      else if (kind !== "fact_node") memories.push(id);
    }
    after = page.at(-1)?.id;
    if (page.length < PAGE) break;
  }
  const counted = { contains: 0, states: 0, statements: 0 };
  const pairs = new Set<string>();
  const seen = new Set<string>();
  for (const ids of [memories, entities]) {
    for (let start = 0; start < ids.length; start += PAGE) {
      for (const { from, to, type, weight } of await storage.edges(
        scope,
        collection,
        ids.slice(start, start + PAGE),
      )) {
        const key = `${type} ${from} ${to}`;
        if (seen.has(key)) continue;
        seen.add(key);
        if (type === "contains") counted.contains++;
        if (type === "states") counted.states++;
        if (type !== "relation") continue;
        counted.statements += weight;
        pairs.add([from, to].sort().join(" "));
      }
    }
  }
  return {
    passages: memories.length,
    phrases: kinds.get("entity") ?? 0,
    facts: kinds.get("fact_node") ?? 0,
    context: counted.contains,
    pairs: pairs.size,
    statements: counted.statements,
    states: counted.states,
  };
}

/** papers.md's rules, written down once more: nothing here is shared with what is measured. */
export function countByRules(documents: readonly RecordedDocument[]): GraphSizes {
  const phrases = new Set<string>();
  const facts = new Set<string>();
  const pairs = new Set<string>();
  let [context, statements, states] = [0, 0, 0];
  for (const { extracted_triples } of documents) {
    const own = { phrases: new Set<string>(), facts: new Set<string>() };
    for (const written of extracted_triples) {
      const isTriple = written.length === 3 && written.every((part) => part.trim() !== "");
      const [subject = "", relation = "", object = ""] = isTriple ? written.map(plain) : [];
      if (!isTriple) continue;
      for (const end of [subject, object]) if (end !== "") own.phrases.add(end);
      if (subject !== "" && object !== "") own.facts.add(JSON.stringify([subject, relation, object]));
    }
    context += own.phrases.size;
    states += own.facts.size;
    for (const name of own.phrases) phrases.add(name);
    for (const fact of own.facts) {
      facts.add(fact);
      const [subject, , object] = JSON.parse(fact) as [string, string, string];
      if (subject === object) continue;
      statements++;
      pairs.add([subject, object].sort().join("\n"));
    }
  }
  return {
    passages: documents.length,
    phrases: phrases.size,
    facts: facts.size,
    context,
    pairs: pairs.size,
    statements,
    states,
  };
}

/** Lower case, and a space for whatever is no letter and no digit. */
function plain(text: string): string {
  const signs = [...text.normalize("NFKC").toLowerCase()].map((sign) =>
    /[\p{L}\p{N}\p{M}]/u.test(sign) ? sign : " ",
  );
  return signs
    .join("")
    .split(" ")
    .filter((word) => word !== "")
    .join(" ");
}
