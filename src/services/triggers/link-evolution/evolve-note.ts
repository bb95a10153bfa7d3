/**
 * A new note and its neighbours change each other (A-Mem): the task evolve_note says which neighbours it is linked to, what
 * its tags become, and what tags and context each neighbour has from now on. It comes to a note once. Neighbours are known by
 * their ids from the first step to the last, so that what changes is what was shown.
 */
import { z } from "zod";
import type { Entry, EntryFields } from "../../../base/entry.ts";
import type { By } from "../../../collection/collection.ts";
import { EDGE } from "../../graph/entity.ts";
import { settle } from "../pending.ts";
import type { TriggerContext } from "../trigger.ts";
import { hasEvolved, markEvolved } from "./evolved.ts";
import { contentVectors, type LinkPolicy, ownMemories } from "./link-policy.ts";
import { evolve, NOTE_TEXTS, neighboursOf, noteText } from "./neighbourhood.ts";

export const evolveNoteOptions = z.strictObject({
  link_policy: z.literal("evolve_note").describe("A note and its neighbours change each other (A-Mem)."),
  neighbours: z.int().min(1).describe("How many neighbours are shown."),
  prompt: z.string().min(1).describe("Id of the prompt that asks how the note and its neighbours change."),
  reembed: z
    .array(z.enum(NOTE_TEXTS))
    .min(1)
    .nullable()
    .describe(
      "Texts of a changed note, one per line, of which its vector is made anew, as it was on insertion; null: it stays.",
    ),
});
type Options = z.infer<typeof evolveNoteOptions>;

const POLICY = "evolve_note";
const ANY = -1;

export const evolveNotes: LinkPolicy<Options> = async (context, options, entries) => {
  const { scope, store, directed } = context;
  const { neighbours: k, prompt, reembed } = options;
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
      await rewrite(context, entry, { tags: newTags, ...said }, reembed, by);
    }
    if (tags !== undefined) await rewrite(context, note, { tags }, reembed, by);
    const there = (await store.edges(scope, [id])).filter(({ type }) => type === EDGE.link);
    const fresh = links.filter(
      ({ entry }) => !there.some(({ from, to }) => from === entry.id || to === entry.id),
    );
    const drawn = fresh.map(({ entry }) => ({ from: id, to: entry.id, type: EDGE.link, directed }));
    await store.link(
      scope,
      drawn.map((link) => ({ ...link, provenance: POLICY })),
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

/** A note's new tags and context, with the vector of what it says now. */
async function rewrite(
  context: TriggerContext,
  note: Entry,
  change: Pick<EntryFields, "tags" | "metadata">,
  reembed: Options["reembed"],
  by: By,
): Promise<void> {
  const { scope, store, deps } = context;
  // As it will be stored.
  const tags = [...new Set(change.tags ?? note.tags)].sort();
  const after = { ...note, tags, metadata: change.metadata ?? note.metadata };
  const texts = [note, after].map((one) => (reembed === null ? "" : noteText(one, reembed)));
  if (texts[0] === texts[1]) return store.update(scope, note.id, change, by);
  const made = (await deps.embedder?.embedDocuments(texts.slice(1), { scope })) ?? [];
  // In a space where it had none, no index would hold the new one.
  const had = new Set((await contentVectors(context, note.id)).map(({ space }) => space));
  const vectors = made.flatMap((vector) => (vector !== undefined && had.has(vector.space) ? [vector] : []));
  await store.update(scope, note.id, { ...change, vectors }, by);
}
