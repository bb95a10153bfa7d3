/**
 * What does a memory state, as its metadata tells? `metadata.triples`, a list of subject, relation and object; and
 * `metadata.mentions`, names that it speaks of.
 */
import { z } from "zod";
import type { JsonObject } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import { entityName, type Normaliser } from "./entity.ts";

const schema = z.array(
  z.looseObject({ subject: z.string(), relation: z.string(), object: z.string() }).readonly(),
);

/** Two things, by name, and what is stated of them. */
export interface Statement {
  readonly subject: string;
  readonly object: string;
  /** In the order stated, each once. */
  readonly relations: readonly string[];
  /** How many different facts join them, this way round. */
  readonly facts: number;
}

/** One triple, as it was first written, and its three parts in their one form. */
export interface Fact {
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
  readonly names: readonly [subject: string, relation: string, object: string];
}

export interface Knowledge {
  /** Name in its one form → as it was first written. */
  readonly names: ReadonlyMap<string, string>;
  /** One per pair of different things. */
  readonly statements: readonly Statement[];
  /** Each once. */
  readonly facts: readonly Fact[];
}

/** Names that it speaks of and states nothing about. */
const mentionsSchema = z.array(z.string());

/** Triples with an end that is no name (only signs) or with two ends of one name state no link. */
export function knowledgeOf(metadata: JsonObject | undefined, normaliser?: Normaliser): Knowledge {
  const triples = parseInput(schema, metadata?.triples ?? [], "metadata.triples");
  const mentions = parseInput(mentionsSchema, metadata?.mentions ?? [], "metadata.mentions");
  const names = new Map<string, string>();
  const facts = new Map<string, Fact>();
  for (const written of triples) {
    const subject = written.subject.trim();
    const relation = written.relation.trim();
    const object = written.object.trim();
    const form = [subject, relation, object].map((part) => entityName(part, normaliser));
    const [one = "", link = "", other = ""] = form;
    if (one !== "" && !names.has(one)) names.set(one, subject);
    if (other !== "" && !names.has(other)) names.set(other, object);
    const key = form.join("\n");
    if (one === "" || other === "" || facts.has(key)) continue;
    facts.set(key, { subject, relation, object, names: [one, link, other] });
  }
  for (const written of mentions) {
    const name = entityName(written, normaliser);
    if (name !== "" && !names.has(name)) names.set(name, written.trim());
  }
  return { names, statements: statementsOf([...facts.values()]), facts: [...facts.values()] };
}

function statementsOf(facts: readonly Fact[]): Statement[] {
  const pairs = new Map<string, { subject: string; object: string; relations: string[]; facts: number }>();
  for (const { relation, names } of facts) {
    const [subject, , object] = names;
    if (subject === object) continue;
    const key = `${subject}\n${object}`;
    const known = pairs.get(key) ?? { subject, object, relations: [], facts: 0 };
    if (relation !== "" && !known.relations.includes(relation)) known.relations.push(relation);
    known.facts++;
    pairs.set(key, known);
  }
  return [...pairs.values()];
}
