/**
 * Which tiers does a service have, and which indexes is an entry of a tier in? Tiers are an ordered list that the preset
 * declares (C-6), front first, one entry being in one of them. An overlay lies over the tier behind it (the last one over
 * the tier in front): what is in it is found in both (C-7). Queues and vectors are kept per tier; words, times and
 * links once for all: what BM25 calls rare can be compared only within one index, and links lead from tier to tier.
 */
import { hash } from "node:crypto";
import { z } from "zod";
import { ARCHIVED } from "../base/entry.ts";
import type { NewCollectionIndex } from "../collection/index-set.ts";
import { tierNamed } from "../policies/tier-plan.ts";
import { GRAPH_INDEX } from "./graph/entity.ts";
import { TEXT_INDEX } from "./search/lexical.ts";
import { RECENT_INDEX } from "./search/recent.ts";
import { TIME_INDEX } from "./search/temporal.ts";
import { indexNameOf, type VectorField, vectorIndexes } from "./vector-fields.ts";

const TIER_INDEXES = ["queue", "vector", "text"] as const;
export type TierIndex = (typeof TIER_INDEXES)[number];

const tier = z.strictObject({
  name: z
    .string()
    // No pattern of the schema for editors: not all of them know \p.
    .refine((name) => /^[\p{L}\p{N}_]{1,32}$/u.test(name), "a tier's name is 1–32 letters, digits and _")
    .refine((name) => name !== ARCHIVED, `"${ARCHIVED}" is where entries go that left every tier`)
    .describe("What the tier is called."),
  capacity: z.int().min(1).nullable().describe("How many entries of each scope it holds; null: any number."),
  membership: z
    .enum(["overlay", "exclusive"])
    .describe("overlay: its entries are also found in the tier behind it; exclusive: only here."),
  indexes: z
    .array(z.enum(TIER_INDEXES))
    .min(1)
    .readonly()
    .describe("How its entries are found: queue (by arrival), vector (by meaning), text (by words)."),
});

/** As a preset writes it. */
export type ServiceTier = Readonly<z.infer<typeof tier>>;

export const tierOptions = z
  .array(tier)
  .min(1)
  .readonly()
  .refine(
    (tiers) => new Set(tiers.map(({ name }) => name)).size === tiers.length,
    "tiers need different names",
  )
  .refine(
    (tiers) => tiers.every(({ capacity, indexes }) => capacity === null || indexes.includes("queue")),
    'a tier with a capacity needs the index "queue", which knows what no longer fits',
  );

/** The tiers in which an entry of this tier is found, its own first. */
export function heldIn(tiers: readonly ServiceTier[], name: string): readonly ServiceTier[] {
  const own = tierNamed(tiers, name);
  if (own.membership === "exclusive") return [own];
  const rank = tiers.indexOf(own);
  const behind = tiers[rank + 1];
  if (behind !== undefined) return [own, ...heldIn(tiers, behind.name)];
  return [own, ...tiers.slice(Math.max(0, rank - 1), rank)];
}

/** The tiers whose entries are found in any of these. */
export function tiersFoundIn(tiers: readonly ServiceTier[], names: readonly string[]): readonly string[] {
  const asked = new Set(names.map((name) => tierNamed(tiers, name)));
  return tiers.flatMap(({ name }) => (heldIn(tiers, name).some((one) => asked.has(one)) ? [name] : []));
}

/** A tier's own index of a kind that every tier has; no two tiers' names begin alike up to the dash. */
export function tierIndexName(tierName: string, index: string): string {
  const plain = `${tierName}-${index}`;
  return plain.length <= 64 ? plain : `${plain.slice(0, 55)}-${hash("sha256", plain).slice(0, 8)}`;
}

/** The indexes an entry of the tier joins that has vectors of these spaces. */
export function indexesOf(
  tiers: readonly ServiceTier[],
  name: string,
  spaces: readonly string[],
): readonly string[] {
  const held = heldIn(tiers, name);
  const own = held.flatMap((one) => [
    ...(one.indexes.includes("queue") ? [tierIndexName(one.name, RECENT_INDEX)] : []),
    ...(one.indexes.includes("vector")
      ? spaces.map((space) => tierIndexName(one.name, indexNameOf(space)))
      : []),
  ]);
  const text = held.some(({ indexes }) => indexes.includes("text")) ? [TEXT_INDEX] : [];
  return [...own, ...text, timeIndexName(tiers)];
}

/**
 * The index of times, which every entry is in, has the tiers in its name, all but their capacities: entries stay in the
 * indexes that the tiers put them in, so under other tiers they would be looked for where they are not.
 */
export function timeIndexName(tiers: readonly ServiceTier[]): string {
  const declared = tiers.map(({ name, membership, indexes }) => [name, membership, [...indexes].sort()]);
  return `${TIME_INDEX}-${hash("sha256", JSON.stringify(declared)).slice(0, 8)}`;
}

/** For a tier that holds any number: more than there will ever be. */
const UNBOUNDED = 2 ** 40;

/** All indexes of a collection with these tiers. */
export function tierIndexes(
  tiers: readonly ServiceTier[],
  fields: readonly VectorField[],
  hasGraph: boolean,
): readonly NewCollectionIndex[] {
  const vectors = vectorIndexes(fields);
  const own = tiers.flatMap(({ name, capacity, indexes }) => [
    ...(indexes.includes("queue")
      ? [
          {
            name: tierIndexName(name, RECENT_INDEX),
            kind: "fifo",
            options: { capacity: capacity ?? UNBOUNDED },
          },
        ]
      : []),
    ...(indexes.includes("vector")
      ? vectors.map((index) => ({ ...index, name: tierIndexName(name, index.name) }))
      : []),
  ]);
  return [
    ...own,
    ...(tiers.some(({ indexes }) => indexes.includes("text"))
      ? [{ name: TEXT_INDEX, kind: "text_bm25" }]
      : []),
    { name: timeIndexName(tiers), kind: "sorted", options: { field: "happenedAt" } },
    ...(hasGraph ? [{ name: GRAPH_INDEX, kind: "graph" }] : []),
  ];
}
