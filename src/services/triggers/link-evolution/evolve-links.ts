/** Seed 001's evolution (S1-8 … S1-10), once per memory: its links fade, those to what is alike grow or appear. */
import { z } from "zod";
import { linkEvolutionOptions } from "../../../policies/link-evolution.ts";
import { evolveLinks } from "../../features/link-evolution.ts";
import { indexNameOf } from "../../vector-fields.ts";
import { settle } from "../pending.ts";
import { hasEvolved, markEvolved } from "./evolved.ts";
import { contentVectors, type LinkPolicy, ownMemories } from "./link-policy.ts";

export const evolveLinksPolicyOptions = z.strictObject({
  link_policy: z.literal("evolve_links").describe("Links fade; those to what is alike grow or appear."),
  ...linkEvolutionOptions.shape,
});
type Options = z.infer<typeof evolveLinksPolicyOptions>;

const POLICY = "evolve_links";

export const evolveLinksOnce: LinkPolicy<Options> = async (
  context,
  { link_policy: _policy, ...options },
  entries,
) => {
  const { scope, store, directed } = context;
  const memories = await ownMemories(context, entries);
  let edges = 0;
  for (const memory of memories) {
    if (hasEvolved(memory, POLICY)) continue;
    const [vector] = await contentVectors(context, memory.id);
    if (vector === undefined) continue;
    const given = { ...options, index_name: indexNameOf(vector.space) };
    edges += await evolveLinks(store, scope, memory.id, given, directed);
    await markEvolved(context, memory.id, POLICY);
  }
  await settle(
    context,
    "link",
    memories.map(({ id }) => id),
  );
  return { examined: memories.length, edges };
};
