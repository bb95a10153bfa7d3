/**
 * A new note and its neighbours change each other (A-Mem): the task evolve_note says which neighbours it is linked to, what
 * its tags become, and what tags and context each neighbour has from now on. It comes to a note once. Neighbours are known by
 * their ids from the first step to the last, so that what changes is what was shown.
 */
import { z } from "zod";
import { EDGE } from "../../graph/entity.ts";
import { settle } from "../pending.ts";
import { hasEvolved, markEvolved } from "./evolved.ts";
import { type LinkPolicy, ownMemories } from "./link-policy.ts";
import { evolve, neighboursOf } from "./neighbourhood.ts";

export const evolveNoteOptions = z.strictObject({
  link_policy: z.literal("evolve_note").describe("A note and its neighbours change each other (A-Mem)."),
  neighbours: z.int().min(1).describe("How many neighbours are shown."),
  prompt: z.string().min(1).describe("Id of the prompt that asks how the note and its neighbours change."),
});
type Options = z.infer<typeof evolveNoteOptions>;

const POLICY = "evolve_note";
const ANY = -1;

export const evolveNotes: LinkPolicy<Options> = async (context, { neighbours: k, prompt }, entries) => {
  const { scope, store } = context;
  const by = { cause: `link_evolution: ${POLICY}` };
  const notes = await ownMemories(context, entries);
  let edges = 0;
  for (const { id } of notes) {
    // Read again: as a neighbour of one before, it may have changed.
    const note = await store.get(scope, id);
    if (note === undefined || hasEvolved(note, POLICY)) continue;
    const near = await neighboursOf(context, note, { k, threshold: ANY });
    const { links, tags, changes } = await evolve(context, note, near, prompt);
    for (const { entry, tags: newTags, context: newContext } of changes) {
      // Public notes are the public scope's to change.
      if (entry.scope !== scope) continue;
      const said = newContext === "" ? {} : { metadata: { ...entry.metadata, context: newContext } };
      await store.update(scope, entry.id, { tags: newTags, ...said }, by);
    }
    if (tags !== undefined) await store.update(scope, id, { tags }, by);
    const there = (await store.edges(scope, [id])).filter(({ type }) => type === EDGE.link);
    const fresh = links.filter(
      ({ entry }) => !there.some(({ from, to }) => from === entry.id || to === entry.id),
    );
    await store.link(
      scope,
      fresh.map(({ entry }) => ({
        from: id,
        to: entry.id,
        type: EDGE.link,
        directed: false,
        provenance: POLICY,
      })),
      by,
    );
    edges += fresh.length;
    await markEvolved(context, id, POLICY);
  }
  await settle(
    context,
    "link",
    notes.map(({ id }) => id),
  );
  return { examined: notes.length, edges };
};
