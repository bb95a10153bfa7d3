/**
 * What is stated of the things that a question names (Mem0ᵍ): memories that speak of them are found along the graph, and of
 * the relations these state the ones with most of the question's words are shown beside the hits. A relation counts as long
 * as a memory that states it is in recall: one that was superseded is no longer shown, and can still be read.
 */
import { z } from "zod";
import type { Hit } from "../../../base/hit.ts";
import { rankByBm25 } from "../../../math/bm25-rank.ts";
import type { Claims, PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { extractEntities } from "../../../tasks/extract-entities.ts";
import { tokenize } from "../../../text/tokenize.ts";

export const relationsOptions = z.strictObject({
  augment_type: z
    .literal("relations")
    .describe("Relations of what the question names, from the service's graph: a section."),
  entity_prompt: z.string().min(1).describe("Id of the prompt that asks for the names in the question."),
  max_memories: z.int().min(1).describe("How many memories that speak of what is named are read."),
  max_items: z
    .int()
    .min(1)
    .describe("How many relations are shown, those with most of the question's words."),
  k1: z.number().min(0).describe("How soon repeating a word stops helping (BM25)."),
  b: z.number().min(0).max(1).describe("How much long relations are held back (BM25)."),
});
type Options = z.infer<typeof relationsOptions>;

export function relationsClaims({ entity_prompt: prompt }: Options): Claims {
  return {
    abilities: ["graph"],
    hints: [{ strategy: "graph", names: ["entities", "depth"] }],
    prompts: [{ task: extractEntities, prompt }],
  };
}

export async function addRelations(
  found: Found,
  { store, think, note }: PostRetrievalContext,
  { entity_prompt, max_memories, max_items, k1, b }: Options,
): Promise<Found> {
  const { question } = found;
  const names =
    question.entities.length > 0 ? question.entities : await namesIn(question.text, think, entity_prompt);
  note("names", [...names]);
  const memories =
    names.length === 0
      ? []
      : await store.retrieve({
          topK: max_memories,
          filter: question.filter,
          // One step: from a name to what speaks of it.
          hints: { strategy: "graph", entities: [...names], depth: 1 },
        });
  const stated = [...new Set(memories.flatMap(relationsOf))];
  const ranked = rankByBm25(tokenize(question.text), stated.map(tokenize), { k1, b }).slice(0, max_items);
  const relations = ranked.flatMap(({ index }) => stated[index] ?? []);
  note("relations", relations.length);
  return { ...found, sections: { ...found.sections, relations } };
}

async function namesIn(
  text: string,
  think: PostRetrievalContext["think"],
  prompt: string,
): Promise<readonly string[]> {
  const { entities } = await think(extractEntities, { text }, prompt);
  return entities.map(({ name }) => name);
}

const triplesSchema = z
  .array(z.object({ subject: z.string(), relation: z.string(), object: z.string() }))
  .catch([]);

function relationsOf({ metadata }: Hit): string[] {
  return triplesSchema
    .parse(metadata.triples)
    .map(({ subject, relation, object }) => `${subject} -- ${relation} -- ${object}`);
}
