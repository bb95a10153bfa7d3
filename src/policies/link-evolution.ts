/**
 * How do links change as a memory settles in? Two ways, as plans over the weights of one entry's links; whoever owns the
 * graph carries them out. `planLinkEvolution` is A-Mem's as seed 001 has it (S1-8, S1-9): all links fade, those to what is
 * alike grow or appear. `planStrengthen` is Hebbian (B.0.2): links that were used grow, the others fade.
 *
 * Both depend on how often they run: asking twice fades twice (B.1). They are for a moment that comes once, as an insert.
 */
import { z } from "zod";

export const linkEvolutionOptions = z.strictObject({
  similarity_threshold: z.number().positive().max(1).describe("Likeness from which a link grows or appears."),
  decay_factor: z
    .number()
    .min(0)
    .max(1)
    .describe("What a link's weight is multiplied with before anything grows."),
  drop_below: z.number().positive().describe("A faded link that weighs less is dropped."),
  strengthen_factor: z.number().min(0).describe("How much of its likeness is added to a link's weight."),
  max_weight: z.number().positive().describe("No link grows beyond this."),
  max_similar: z.int().min(0).describe("How many of the most alike entries are looked at."),
  max_neighbours: z.int().min(0).describe("How many of the links fade at most."),
});
export type LinkEvolutionOptions = Readonly<z.infer<typeof linkEvolutionOptions>>;

export const strengthenOptions = z.strictObject({
  strengthen_factor: z.number().min(0).describe("What a link that was used gains."),
  decay_rate: z.number().min(0).lt(1).describe("The part of its weight that a link loses that was not used."),
  max_weight: z.number().positive().describe("No link grows beyond this."),
});
export type StrengthenOptions = Readonly<z.infer<typeof strengthenOptions>>;

/** A link of the entry in question, by its other end. */
export interface WeightedLink<Id extends string> {
  readonly id: Id;
  readonly weight: number;
}

export interface SimilarEntry<Id extends string> {
  readonly id: Id;
  readonly similarity: number;
}

export interface LinkEvolution<Id extends string> {
  readonly node: Id;
  readonly neighbours: readonly WeightedLink<Id>[];
  /** Most alike first; the entry itself may be among them. */
  readonly similar: readonly SimilarEntry<Id>[];
  readonly options: LinkEvolutionOptions;
}

export interface LinkPlan<Id extends string> {
  /** Links that are there, with their new weight. */
  readonly set: readonly WeightedLink<Id>[];
  readonly drop: readonly Id[];
  readonly create: readonly WeightedLink<Id>[];
  /** Links touched, once per step: one that faded and then grew counts twice (S1-9). */
  readonly touched: number;
}

export function planLinkEvolution<Id extends string>(evolution: LinkEvolution<Id>): LinkPlan<Id> {
  const { node, neighbours, similar, options } = evolution;
  const before = new Map(neighbours.map(({ id, weight }) => [id, weight]));
  const faded = neighbours.slice(0, options.max_neighbours).map(({ id }) => id);
  const after = new Map(before);
  for (const id of faded) {
    const weight = (before.get(id) ?? 0) * options.decay_factor;
    if (weight < options.drop_below) after.delete(id);
    else after.set(id, weight);
  }
  const alike = similar
    .slice(0, options.max_similar)
    .filter(({ id, similarity }) => id !== node && similarity >= options.similarity_threshold);
  for (const { id, similarity } of alike) {
    const weight = after.get(id);
    const grown = weight === undefined ? similarity : weight + options.strengthen_factor * similarity;
    after.set(id, Math.min(grown, options.max_weight));
  }
  return { ...changes(before, after), touched: faded.length + alike.length };
}

/** New weights of an entry's links, of which some were just used together with it. */
export function planStrengthen<Id extends string>(
  neighbours: readonly WeightedLink<Id>[],
  used: ReadonlySet<Id>,
  { strengthen_factor, decay_rate, max_weight }: StrengthenOptions,
): WeightedLink<Id>[] {
  return neighbours
    .map(({ id, weight }) => ({
      id,
      weight: used.has(id) ? Math.min(weight + strengthen_factor, max_weight) : weight * (1 - decay_rate),
    }))
    .filter(({ weight }, place) => weight !== neighbours[place]?.weight);
}

function changes<Id extends string>(before: ReadonlyMap<Id, number>, after: ReadonlyMap<Id, number>) {
  const set: WeightedLink<Id>[] = [];
  const create: WeightedLink<Id>[] = [];
  for (const [id, weight] of after) {
    const old = before.get(id);
    if (old === undefined) create.push({ id, weight });
    else if (old !== weight) set.push({ id, weight });
  }
  return { set, create, drop: [...before.keys()].filter((id) => !after.has(id)) };
}
