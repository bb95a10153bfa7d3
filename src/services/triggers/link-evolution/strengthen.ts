/**
 * What is used together grows together (Hebb): a link whose two ends were both looked at since it was last written grows,
 * one of which only one end was looked at fades, all others stay. Writing a link dates it anew, so that every look counts
 * once, however often this runs. Given entries, the links at them and at their neighbours are looked over.
 */
import { z } from "zod";
import type { Edge } from "../../../base/edge.ts";
import type { Entry } from "../../../base/entry.ts";
import type { EntryId } from "../../../base/ids.ts";
import { planStrengthen, strengthenOptions } from "../../../policies/link-evolution.ts";
import { EDGE } from "../../graph/entity.ts";
import type { TriggerContext } from "../trigger.ts";
import { type LinkPolicy, ownMemories } from "./link-policy.ts";

export const strengthenPolicyOptions = z.strictObject({
  link_policy: z.literal("strengthen").describe("Links that are used grow, those beside them fade."),
  ...strengthenOptions.shape,
});
type Options = z.infer<typeof strengthenPolicyOptions>;

const PAGE = 1000;
/** Relations and contents are facts, counted elsewhere; these are habits. */
const HABITS: readonly string[] = [EDGE.link, EDGE.synonym];

export const strengthen: LinkPolicy<Options> = async (context, options, entries) => {
  const { scope, store } = context;
  const ids = (await ownMemories(context, entries)).map(({ id }) => id);
  const edges = await habitsAt(context, entries === undefined ? ids : await withNeighbours(context, ids));
  const ends = await entriesOf(context, [...new Set(edges.flatMap(({ from, to }) => [from, to]))]);
  const changed = edges.flatMap((edge) => {
    const looked = [edge.from, edge.to].filter((id) => (ends.get(id)?.lastAccessAt ?? 0) > edge.createdAt);
    if (looked.length === 0) return [];
    const used = new Set(looked.length === 2 ? [edge.to] : []);
    const [link] = planStrengthen([{ id: edge.to, weight: edge.weight }], used, options);
    const { from, to, type, directed, provenance } = edge;
    // Also where the weight is at its limit: the look has been counted.
    return [{ from, to, type, directed, provenance, weight: link?.weight ?? edge.weight }];
  });
  for (let start = 0; start < changed.length; start += PAGE)
    await store.link(scope, changed.slice(start, start + PAGE), { cause: "link_evolution: strengthen" });
  return { examined: ids.length, edges: changed.length };
};

async function habitsAt({ scope, store }: TriggerContext, ids: readonly EntryId[]): Promise<Edge[]> {
  const found = new Map<string, Edge>();
  for (let start = 0; start < ids.length; start += PAGE) {
    for (const edge of await store.edges(scope, ids.slice(start, start + PAGE))) {
      if (edge.scope === scope && HABITS.includes(edge.type))
        found.set(`${edge.from} ${edge.to} ${edge.type}`, edge);
    }
  }
  return [...found.values()];
}

async function withNeighbours(context: TriggerContext, ids: readonly EntryId[]): Promise<EntryId[]> {
  const around = await habitsAt(context, ids);
  return [...new Set([...ids, ...around.flatMap(({ from, to }) => [from, to])])];
}

async function entriesOf(
  { scope, store }: TriggerContext,
  ids: readonly EntryId[],
): Promise<ReadonlyMap<EntryId, Entry>> {
  const found = (await store.getMany(scope, ids)).filter((entry) => entry !== undefined);
  return new Map(found.map((entry) => [entry.id, entry]));
}
