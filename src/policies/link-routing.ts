/**
 * Which links does an entry get? BIEM's association router (S4-7, S4-16, B.4): temporal links to what was remembered
 * shortly before, semantic links to what is alike, causal links to what feedback surely made it follow from. A link
 * that is there already grows instead; beyond the number of links an entry may have, the weakest go. Several types may
 * join one pair (C-35).
 */
import { z } from "zod";

const maxLinks = z.int().min(1).describe("How many links of the type one routing adds at most.");
const maxWeight = z.number().positive().describe("No link of the type grows beyond this.");

export const linkRoutingOptions = z.strictObject({
  temporal: z
    .strictObject({
      window_seconds: z.number().positive().describe("How far apart in time two entries are linked at most."),
      min_weight: z
        .number()
        .positive()
        .describe("Weight at the far end of the window; it is 1 at the same moment."),
      max_links: maxLinks,
      max_weight: maxWeight,
    })
    .nullable()
    .describe("Links to the most recent entries; null: none."),
  semantic: z
    .strictObject({
      similarity_threshold: z.number().min(0).max(1).describe("Only what is more alike than this is linked."),
      max_links: maxLinks,
      max_weight: maxWeight,
    })
    .nullable()
    .describe("Links to the most alike entries, weighing their likeness; null: none."),
  causal: z
    .strictObject({
      min_confidence: z.number().positive().max(1).describe("Confidence from which a cause is linked."),
      max_links: maxLinks,
      max_weight: maxWeight,
    })
    .nullable()
    .describe("Links to causes, weighing the confidence; null: none."),
  strengthen_by: z.number().min(0).describe("What a link gains that is there already."),
  max_out_edges: z.int().min(1).describe("How many links may leave one entry; the weakest beyond go."),
});
export type LinkRoutingOptions = Readonly<z.infer<typeof linkRoutingOptions>>;

export interface RoutedLink<Id extends string> {
  readonly to: Id;
  /** temporal, semantic, causal; links that are there already may have any other. */
  readonly type: string;
  readonly weight: number;
}

export interface RoutingInput<Id extends string> {
  readonly entry: { readonly id: Id; readonly at: number };
  /** Epoch ms; in any order. */
  readonly recent: readonly { readonly id: Id; readonly at: number }[];
  readonly similar: readonly { readonly id: Id; readonly similarity: number }[];
  readonly causes: readonly { readonly id: Id; readonly confidence: number }[];
  /** The links that leave the entry now, of all types. */
  readonly existing: readonly RoutedLink<Id>[];
  readonly options: LinkRoutingOptions;
}

export interface RoutingPlan<Id extends string> {
  /** New links, and those that grew, with their new weight. */
  readonly set: readonly RoutedLink<Id>[];
  /** Links that were there and have to go. */
  readonly drop: readonly RoutedLink<Id>[];
}

export function planLinkRouting<Id extends string>(input: RoutingInput<Id>): RoutingPlan<Id> {
  const { existing, options } = input;
  const before = new Map(existing.map((link) => [keyOf(link), link]));
  const links = new Map(before);
  for (const { maxWeight: most, ...fresh } of [...temporal(input), ...semantic(input), ...causal(input)]) {
    const key = keyOf(fresh);
    const old = before.get(key);
    // Named twice, a link is made once, by its better claim.
    if (links.get(key) !== old) continue;
    const weight = Math.min(old === undefined ? fresh.weight : old.weight + options.strengthen_by, most);
    if (weight !== old?.weight) links.set(key, { ...fresh, weight });
  }
  // A stable sort: of equals the link that was there first stays.
  const ranked = [...links.values()].sort((a, b) => b.weight - a.weight);
  const kept = new Set(ranked.slice(0, options.max_out_edges));
  const were = new Set(existing);
  return {
    set: [...links.values()].filter((link) => kept.has(link) && !were.has(link)),
    drop: existing.filter((link) => !kept.has(links.get(keyOf(link)) ?? link)),
  };
}

interface Candidate<Id extends string> extends RoutedLink<Id> {
  readonly maxWeight: number;
}

function temporal<Id extends string>({ entry, recent, options }: RoutingInput<Id>): Candidate<Id>[] {
  if (options.temporal === null) return [];
  const { window_seconds, min_weight, max_links, max_weight } = options.temporal;
  return recent
    .filter(({ id }) => id !== entry.id)
    .map(({ id, at }) => ({ to: id, seconds: Math.abs(entry.at - at) / 1000 }))
    .filter(({ seconds }) => seconds <= window_seconds)
    .sort((a, b) => a.seconds - b.seconds)
    .slice(0, max_links)
    .map(({ to, seconds }) => {
      const weight = Math.max(min_weight, 1 - seconds / window_seconds);
      return { to, type: "temporal", weight, maxWeight: max_weight };
    });
}

function semantic<Id extends string>({ entry, similar, options }: RoutingInput<Id>): Candidate<Id>[] {
  if (options.semantic === null) return [];
  const { similarity_threshold, max_links, max_weight } = options.semantic;
  return similar
    .filter(({ id, similarity }) => id !== entry.id && similarity > similarity_threshold)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, max_links)
    .map(({ id, similarity }) => ({ to: id, type: "semantic", weight: similarity, maxWeight: max_weight }));
}

function causal<Id extends string>({ entry, causes, options }: RoutingInput<Id>): Candidate<Id>[] {
  if (options.causal === null) return [];
  const { min_confidence, max_links, max_weight } = options.causal;
  return causes
    .filter(({ id, confidence }) => id !== entry.id && confidence >= min_confidence)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, max_links)
    .map(({ id, confidence }) => ({ to: id, type: "causal", weight: confidence, maxWeight: max_weight }));
}

function keyOf({ type, to }: RoutedLink<string>): string {
  return JSON.stringify([type, to]);
}
