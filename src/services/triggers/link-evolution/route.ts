/**
 * Every memory is tied to its surroundings once (BIEM; S4-7, S4-16): to what was said shortly before it, to what is alike,
 * and to what it follows from, as `metadata.causes` tells: a list of `{ id, confidence }`. Links go to what was there
 * before, so that two memories are not tied twice; which ones, and how strongly, the policy of routing says.
 */
import { z } from "zod";
import type { Edge } from "../../../base/edge.ts";
import type { Entry } from "../../../base/entry.ts";
import { where } from "../../../base/filter.ts";
import { type EntryId, isEntryId } from "../../../base/ids.ts";
import {
  type LinkRoutingOptions,
  linkRoutingOptions,
  planLinkRouting,
} from "../../../policies/link-routing.ts";
import { memoriesOnly } from "../../graph/entity.ts";
import { ownEntries } from "../own-entries.ts";
import { settle } from "../pending.ts";
import type { TriggerContext } from "../trigger.ts";
import { hasEvolved, markEvolved } from "./evolved.ts";
import { type LinkPolicy, ownMemories } from "./link-policy.ts";
import { neighboursOf } from "./neighbourhood.ts";

export const routeOptions = z.strictObject({
  link_policy: z
    .literal("route")
    .describe("Ties a memory to what came shortly before, what is alike and what caused it."),
  ...linkRoutingOptions.shape,
});

const POLICY = "route";

const causesSchema = z.array(z.object({ id: z.string(), confidence: z.number().min(0).max(1) }));

export const route: LinkPolicy<z.infer<typeof routeOptions>> = async (
  context,
  { link_policy: _policy, ...options },
  entries,
) => {
  const memories = await ownMemories(context, entries);
  let edges = 0;
  for (const memory of memories) {
    if (hasEvolved(memory, POLICY)) continue;
    edges += await routeOne(context, memory, options);
    await markEvolved(context, memory.id, POLICY);
  }
  const ids = memories.map(({ id }) => id);
  await settle(context, "link", ids);
  return { examined: ids.length, edges };
};

async function routeOne(
  context: TriggerContext,
  memory: Entry,
  options: LinkRoutingOptions,
): Promise<number> {
  const { scope, store } = context;
  const { id, happenedAt: at } = memory;
  const leaving = (await store.edges(scope, [id])).filter((edge) => edge.from === id && edge.scope === scope);
  // Links that others made are not the routing's to count, to change or to drop.
  const [own = [], others = []] = [true, false].map((isOwn) =>
    leaving.filter(({ provenance }) => (provenance === POLICY) === isOwn),
  );
  const taken = new Set(others.map(({ to, type }) => `${type} ${to}`));
  const { set, drop } = planLinkRouting({
    entry: { id, at },
    recent: await recentOf(context, memory, options),
    similar: await similarOf(context, memory, options),
    causes: await causesOf(context, memory),
    existing: own.map(({ to, type, weight }: Edge) => ({ to, type, weight })),
    options,
  });
  const by = { cause: `link_evolution: ${POLICY}` };
  const drawn = set
    .filter(({ to, type }) => !taken.has(`${type} ${to}`))
    .map((link) => ({
      ...link,
      from: id,
      directed: context.directed || link.type === "causal",
      provenance: POLICY,
    }));
  await store.link(scope, drawn, by);
  const gone = drop.map(({ to, type }) => ({ from: id, to, type }));
  await store.unlink(scope, gone, by);
  return drawn.length + drop.length;
}

async function recentOf(
  context: TriggerContext,
  { id, happenedAt: at }: Entry,
  { temporal }: LinkRoutingOptions,
): Promise<{ readonly id: EntryId; readonly at: number }[]> {
  if (temporal === null) return [];
  const within = where.range("happenedAt", { gte: at - temporal.window_seconds * 1000, lte: at });
  const found = await ownEntries(context, where.and(memoriesOnly, within));
  return found.filter((one) => one.id < id).map((one) => ({ id: one.id, at: one.happenedAt }));
}

async function similarOf(
  context: TriggerContext,
  memory: Entry,
  { semantic }: LinkRoutingOptions,
): Promise<{ readonly id: EntryId; readonly similarity: number }[]> {
  if (semantic === null) return [];
  const { max_links, similarity_threshold: threshold } = semantic;
  const filter = where.range("id", { lt: memory.id });
  const near = await neighboursOf(context, memory, { k: max_links, threshold, filter });
  return near.map(({ entry, similarity }) => ({ id: entry.id, similarity }));
}

/** Only those that are there: what was forgotten causes nothing any more. */
async function causesOf(
  { scope, store }: TriggerContext,
  { metadata }: Entry,
): Promise<{ readonly id: EntryId; readonly confidence: number }[]> {
  const named = causesSchema.safeParse(metadata.causes ?? []);
  const causes = (named.data ?? []).flatMap(({ id, confidence }) =>
    isEntryId(id) ? [{ id, confidence }] : [],
  );
  const found = await store.getMany(
    scope,
    causes.map(({ id }) => id),
  );
  return causes.filter((_, place) => found[place] !== undefined);
}
