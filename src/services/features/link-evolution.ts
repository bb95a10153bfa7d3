/**
 * A-Mem's link evolution as seed 001 has it (S1-8 … S1-10), for any collection whose entries have vectors: the links of an
 * entry fade, those to what is alike grow or appear. It changes links every time it is called; a service that must not
 * repeat itself remembers whom it came to (trigger link_evolution).
 */
import { z } from "zod";
import type { Edge } from "../../base/edge.ts";
import type { EntryId } from "../../base/ids.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import type { Collection } from "../../collection/collection.ts";
import { linkEvolutionOptions, planLinkEvolution } from "../../policies/link-evolution.ts";
import { EDGE } from "../graph/entity.ts";
import { ownVitals } from "../triggers/own-entries.ts";

export const evolveLinksOptions = z.strictObject({
  ...linkEvolutionOptions.shape,
  index_name: z.string().describe("The vector index in which like entries are looked for."),
});
export type EvolveLinksOptions = Readonly<z.infer<typeof evolveLinksOptions>>;

const PROVENANCE = "evolve_links";

/**
 * How many links were touched, once per step (S1-9); 0 without such an index or without a vector in it. `directed`: whether
 * new links go one way; the seed's go both.
 */
export async function evolveLinks(
  collection: Collection,
  scope: Scope,
  id: EntryId,
  options: EvolveLinksOptions,
  directed = false,
): Promise<number> {
  const { index_name: index, ...numbers } = parseInput(evolveLinksOptions, options, "options of evolveLinks");
  const vector = await vectorIn(collection, scope, id, index);
  if (vector === undefined) return 0;
  const links = linksAt(await collection.edges(scope, [id]), scope, id);
  const found = await collection.retrieve(scope, { index, vector, topK: numbers.max_similar + 1 });
  const plan = planLinkEvolution({
    node: id,
    neighbours: Array.from(links, ([other, { weight }]) => ({ id: other, weight })),
    similar: found.filter((hit) => hit.id !== id).map((hit) => ({ id: hit.id, similarity: hit.score })),
    options: numbers,
  });
  const by = { cause: "evolveLinks" };
  const dropped = plan.drop.flatMap((other) => links.get(other) ?? []);
  await collection.unlink(scope, dropped, by);
  const changed = plan.set.flatMap(({ id: other, weight }) => {
    const edge = links.get(other);
    if (edge === undefined) return [];
    const { from, to, type, directed, provenance } = edge;
    return [{ from, to, type, directed, provenance, weight }];
  });
  const created = plan.create.map(({ id: to, weight }) => ({
    ...{ from: id, to, type: EDGE.link, weight, directed, provenance: PROVENANCE },
  }));
  await collection.link(scope, [...changed, ...created], by);
  return plan.touched;
}

/** The same for every memory of the scope that is in use; the sum (S1-10). */
export async function batchEvolve(
  collection: Collection,
  scope: Scope,
  options: EvolveLinksOptions,
): Promise<number> {
  let touched = 0;
  for await (const page of ownVitals({ store: collection, scope }))
    for (const { id } of page) touched += await evolveLinks(collection, scope, id, options);
  return touched;
}

const spaceOption = z.looseObject({ space: z.string() });

async function vectorIn(
  collection: Collection,
  scope: Scope,
  id: EntryId,
  index: string,
): Promise<Vector | undefined> {
  const record = (await collection.listIndexes()).find(({ name }) => name === index);
  const options = spaceOption.safeParse(record?.options);
  if (!options.success) return undefined;
  const { space } = options.data;
  const [values] = await collection.vectors(scope, space, [id]);
  return values === undefined ? undefined : { space, values };
}

/** The scope's own links at an entry, by the other end. */
function linksAt(edges: readonly Edge[], scope: Scope, id: EntryId): ReadonlyMap<EntryId, Edge> {
  const links = new Map<EntryId, Edge>();
  for (const edge of edges) {
    const other = edge.from === id ? edge.to : edge.from;
    if (edge.type === EDGE.link && edge.scope === scope && !links.has(other)) links.set(other, edge);
  }
  return links;
}
