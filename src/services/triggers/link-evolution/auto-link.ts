/**
 * A new memory is linked to those nearest to it that are alike enough; where there is a model, it says which of them
 * (task evolve_note). The links' weights are the likeness.
 */
import { z } from "zod";
import { EDGE } from "../../graph/entity.ts";
import { settle } from "../pending.ts";
import { hasEvolved, markEvolved } from "./evolved.ts";
import { type LinkPolicy, ownMemories } from "./link-policy.ts";
import { evolve, neighboursOf } from "./neighbourhood.ts";

export const autoLinkOptions = z.strictObject({
  link_policy: z.literal("auto_link").describe("Links a memory to those nearest to it."),
  max_links: z.int().min(1).describe("How many neighbours a memory is linked to at most."),
  threshold: z.number().positive().max(1).describe("Cosine from which a neighbour may be linked to."),
  auto_link_prompt: z
    .string()
    .min(1)
    .describe("Id of the prompt that asks the model which neighbours are linked to."),
});
type Options = z.infer<typeof autoLinkOptions>;

const POLICY = "auto_link";

export const autoLink: LinkPolicy<Options> = async (context, options, entries) => {
  const { max_links: k, threshold, auto_link_prompt: prompt } = options;
  const { scope, store, deps, directed } = context;
  const memories = await ownMemories(context, entries);
  let edges = 0;
  for (const memory of memories) {
    const { id } = memory;
    // A model is asked once; the rule without one comes to the same result whenever it is asked.
    if (deps.thinking.model !== undefined && hasEvolved(memory, POLICY)) continue;
    const near = await neighboursOf(context, memory, { k, threshold });
    const there = (await store.edges(scope, [id])).filter(({ type }) => type === EDGE.link);
    const fresh = near.filter(
      ({ entry }) => !there.some(({ from, to }) => from === entry.id || to === entry.id),
    );
    const chosen =
      deps.thinking.model === undefined ? fresh : (await evolve(context, memory, fresh, prompt)).links;
    const links = chosen.map(({ entry, similarity: weight }) => ({
      ...{ from: id, to: entry.id, type: EDGE.link, weight, directed, provenance: POLICY },
    }));
    await store.link(scope, links, { cause: `link_evolution: ${POLICY}` });
    edges += links.length;
    if (deps.thinking.model !== undefined) await markEvolved(context, id, POLICY);
  }
  await settle(
    context,
    "link",
    memories.map(({ id }) => id),
  );
  return { examined: memories.length, edges };
};
