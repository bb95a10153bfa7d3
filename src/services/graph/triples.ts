/** What does a memory state, as its metadata tells? `metadata.triples`, a list of subject, relation and object. */
import { z } from "zod";
import type { JsonObject } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import { entityName } from "./entity.ts";

const schema = z.array(
  z.looseObject({ subject: z.string(), relation: z.string(), object: z.string() }).readonly(),
);

/** Two things, by name, and what is stated of them. */
export interface Statement {
  readonly subject: string;
  readonly object: string;
  /** In the order stated, each once. */
  readonly relations: readonly string[];
}

export interface Knowledge {
  /** Name in its one form → as it was first written. */
  readonly names: ReadonlyMap<string, string>;
  /** One per pair of different things. */
  readonly statements: readonly Statement[];
}

const NOTHING: Knowledge = { names: new Map(), statements: [] };

/** Triples with an end that is no name (only signs) or with two ends of one name state no link. */
export function knowledgeOf(metadata: JsonObject | undefined): Knowledge {
  if (metadata?.triples === undefined || metadata.triples === null) return NOTHING;
  const triples = parseInput(schema, metadata.triples, "metadata.triples");
  const names = new Map<string, string>();
  const statements = new Map<string, { subject: string; object: string; relations: string[] }>();
  for (const triple of triples) {
    const ends = [triple.subject, triple.object].map((written) => ({ name: entityName(written), written }));
    for (const { name, written } of ends)
      if (name !== "" && !names.has(name)) names.set(name, written.trim());
    const [subject = "", object = ""] = ends.map(({ name }) => name);
    if (subject === "" || object === "" || subject === object) continue;
    const key = `${subject}\n${object}`;
    const known = statements.get(key) ?? { subject, object, relations: [] };
    const relation = triple.relation.trim();
    if (relation !== "" && !known.relations.includes(relation)) known.relations.push(relation);
    statements.set(key, known);
  }
  return { names, statements: [...statements.values()] };
}
