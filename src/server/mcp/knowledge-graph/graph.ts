/** What is a knowledge graph? Things with a name, a type and what was observed of them, and how they relate to each other. */
import { z } from "zod";

const name = z.string().regex(/\S/, "must not be empty");

export const entitySchema = z.object({
  name: name.describe("Unique name of the entity."),
  entityType: z.string().describe("What it is, as person."),
  observations: z.array(z.string()).describe("What is known of it, one fact each."),
});
export type Entity = z.infer<typeof entitySchema>;

export const relationSchema = z.object({
  from: name.describe("Name of the entity where it starts."),
  to: name.describe("Name of the entity where it ends."),
  relationType: z.string().describe("How they relate, in active voice, as works_at."),
});
export type Relation = z.infer<typeof relationSchema>;

export const graphSchema = z.object({ entities: z.array(entitySchema), relations: z.array(relationSchema) });
export type KnowledgeGraph = z.infer<typeof graphSchema>;

/** The same for relations that say the same, and for no others. */
export function relationKey({ from, to, relationType }: Relation): string {
  return JSON.stringify([from, to, relationType]);
}

/** These entities, and every relation that one of them has. */
export function around({ entities, relations }: KnowledgeGraph, names: readonly string[]): KnowledgeGraph {
  const wanted = new Set(names);
  return {
    entities: entities.filter((entity) => wanted.has(entity.name)),
    relations: relations.filter(({ from, to }) => wanted.has(from) || wanted.has(to)),
  };
}

/** Entities that have the words in their name, their type or what was observed of them, in upper or lower case. */
export function namesHolding({ entities }: KnowledgeGraph, words: string): string[] {
  const wanted = words.toLowerCase();
  const holds = (text: string): boolean => text.toLowerCase().includes(wanted);
  return entities
    .filter((one) => holds(one.name) || holds(one.entityType) || one.observations.some(holds))
    .map((one) => one.name);
}
