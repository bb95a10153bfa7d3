/**
 * Question, passage and answer remembered as one (TiM as seed 001 has it: S1-6, S1-7), on any collection with a vector
 * index. The content is the whole triple as JSON; what is near is decided by the passage's vector.
 */
import { hash } from "node:crypto";
import { z } from "zod";
import { where } from "../../base/filter.ts";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import type { Collection } from "../../collection/collection.ts";

export const tripleOptions = z.strictObject({
  index_name: z.string().min(1).describe("The vector index that triples are in."),
  top_k: z.int().min(1).describe("How many triples a question gets."),
});
export type TripleOptions = Readonly<z.infer<typeof tripleOptions>>;

const tripleSchema = z.object({ query: z.string(), passage: z.string(), answer: z.string() });

export interface QueryTriple {
  readonly query: string;
  readonly passage: string;
  readonly answer: string;
}

export interface NewTriple extends QueryTriple {
  /** Of the passage. */
  readonly vector: Vector;
  readonly metadata?: JsonObject | undefined;
}

const TYPE = "triple";

export function insertTriple(
  collection: Collection,
  scope: Scope,
  { query, passage, answer, vector, metadata }: NewTriple,
  options: TripleOptions,
): Promise<EntryId> {
  const { index_name } = parseInput(tripleOptions, options, "options of insertTriple");
  const item = {
    kind: TYPE,
    content: JSON.stringify({ query, passage, answer }),
    metadata: { ...metadata, type: TYPE, query_hash: shortHash(query), passage_hash: shortHash(passage) },
    indexes: [index_name],
    vectors: [vector],
  };
  return collection.insert(scope, item, { cause: "insertTriple" });
}

/** The nearest triples, best first; an entry that says it is one and is not is left out. */
export async function retrieveByQuery(
  collection: Collection,
  scope: Scope,
  vector: Vector,
  options: TripleOptions,
): Promise<(QueryTriple & { readonly score: number })[]> {
  const { index_name: index, top_k: topK } = parseInput(tripleOptions, options, "options of retrieveByQuery");
  const filter = where.eq("metadata.type", TYPE);
  const hits = await collection.retrieve(scope, { index, vector, topK, filter });
  return hits.flatMap(({ content, score }) => {
    const triple = readTriple(content);
    return triple === undefined ? [] : [{ ...triple, score }];
  });
}

function readTriple(content: string): QueryTriple | undefined {
  try {
    return tripleSchema.safeParse(JSON.parse(content)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The first 8 hex digits of MD5, as the seed has it: to tell texts apart, not to protect them. */
function shortHash(text: string): string {
  return hash("md5", text).slice(0, 8);
}
