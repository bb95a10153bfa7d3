/**
 * The things that memories speak of, as nodes of the graph between them: entries of kind "entity", one per name and scope.
 * They are found by name and by the nearness of names, walked through, and never returned as memories.
 */
import { MemoryError } from "../../base/errors.ts";
import { type Filter, where } from "../../base/filter.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import type { Collection } from "../../collection/collection.ts";
import type { EmbedderSet, EmbedderSpace } from "../../models/local/embedder-set.ts";
import { indexNameOf, spaceOf, textField, type VectorField } from "../vector-fields.ts";

export const ENTITY = "entity";
/** What memories state, each fact once: found by nearness, and never walked through. */
export const FACT = "fact_node";
export const GRAPH_INDEX = "graph";
/** Names of entities as tags: finds a name in any text that holds it. */
export const NAMES_INDEX = "names";

/** Who embeds names and facts. */
export type NameEmbedder = Pick<EmbedderSet, "embedDocuments">;

/** Types of edges that a graph of memories holds. */
export const EDGE = {
  /** From a passage to an entity it speaks of. */
  contains: "contains",
  /** From a passage to a fact it states. */
  states: "states",
  /** Between two entities of which a passage states something. */
  relation: "relation",
  /** Between two names of what is probably the same. */
  synonym: "synonym",
  /** Between two memories. */
  link: "link",
} as const;

/** Edges between names. */
export const NAME_EDGES: readonly string[] = [EDGE.relation, EDGE.synonym];

/** What a caller may be given: memories, not the things they speak of nor what they state of them. */
export const memoriesOnly: Filter = where.not(where.in("kind", [ENTITY, FACT]));

/** Whether an entry comes and goes with the memories that need it. */
export function isNode(kind: string | null): boolean {
  return kind === ENTITY || kind === FACT;
}

/** Entities are made of triples; one that a caller wrote would be no memory and no name. */
export function refuseEntity(kind: unknown, service: string): void {
  if (kind !== ENTITY && kind !== FACT) return;
  throw new MemoryError(
    "input_invalid",
    `The service ${service} makes entries of the kind "${kind}" itself, of metadata.triples. Valid: another kind.`,
  );
}

/** Labels, as tags are, have at most so many characters. */
const LONGEST_NAME = 256;

/** Which signs a name is made of: letters and digits of every script, or, as HippoRAG's code has it, those of ASCII alone. */
export const NORMALISERS = ["unicode", "ascii"] as const;
export type Normaliser = (typeof NORMALISERS)[number];

/**
 * One form for every way to write a name: HippoRAG's (lower case, everything but letters and digits a space), in every
 * script, so that 北京 keeps its name, too; "ascii" loses it, as the published code does.
 */
export function entityName(text: string, normaliser: Normaliser = "unicode"): string {
  return plainWords(text, normaliser).slice(0, LONGEST_NAME).toWellFormed().trim();
}

function plainWords(text: string, normaliser: Normaliser): string {
  const written = normaliser === "ascii" ? text : text.normalize("NFKC");
  return written.toLowerCase().replace(OTHER_SIGNS[normaliser], " ").trim();
}

const OTHER_SIGNS = { unicode: /[^\p{L}\p{N}\p{M}]+/gu, ascii: /[^a-z0-9]+/g } as const;

/** Names of entities have vectors of their own, apart from those of memories. */
export function entityField(spaces: readonly EmbedderSpace[]): VectorField {
  return textField(ENTITY, spaces);
}

/** A vector of the memories' embedder, as the index of names knows it. */
export function asEntityVector({ space, values }: Vector): Vector {
  return { space: spaceOf(space, ENTITY), values };
}

export function entityIndexOf(space: string): string {
  return indexNameOf(spaceOf(space, ENTITY));
}

export interface KnownEntity {
  readonly id: EntryId;
  readonly name: string;
  readonly scope: Scope;
}

/** The nodes of these names (in their one form) that the scope sees, its own and public ones. */
export async function entitiesNamed(
  store: Collection,
  scope: Scope,
  names: readonly string[],
): Promise<KnownEntity[]> {
  if (names.length === 0) return [];
  const found = await store.retrieve(scope, {
    index: NAMES_INDEX,
    text: names.join("\n"),
    // Each name may be there twice: the scope's own node and a public one.
    topK: 2 * names.length,
    filter: where.in("metadata.name", names),
  });
  return found.map(({ id, metadata, scope: owner }) => ({ id, name: String(metadata.name), scope: owner }));
}

/** The nodes whose names stand in a text; a name in letters that are written with spaces must stand as whole words. */
export async function entitiesIn(
  store: Collection,
  scope: Scope,
  text: string,
  most: number,
  normaliser: Normaliser,
): Promise<KnownEntity[]> {
  const words = ` ${plainWords(text.slice(0, LONGEST_QUESTION), normaliser)} `;
  // Parts of words fall out: more are asked for until enough are left, or there are no more.
  for (let topK = 4 * most; ; topK *= 4) {
    const found = await store.retrieve(scope, { index: NAMES_INDEX, text: words, topK });
    const named = found
      .filter(({ kind }) => kind === ENTITY)
      .map(({ id, metadata, scope: owner }) => ({ id, name: String(metadata.name), scope: owner }))
      .filter(({ name }) => !SPACED.test(name) || words.includes(` ${name} `));
    if (named.length >= most || found.length < topK) return named.slice(0, most);
  }
}

const LONGEST_QUESTION = 10_000;
const SPACED = /^[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+$/u;
