/**
 * A new note and its neighbours change each other (A-Mem, Xu et al., NeurIPS 2025): the task evolve_note says which
 * neighbours it is linked to, what its tags become, and what tags and context each neighbour has from now on. It comes to a
 * note once. Neighbours are those nearest to the note's content, whatever of a note is embedded, and are known by their ids
 * from the first step to the last, so that what changes is what was shown.
 */
import { z } from "zod";
import type { NewEdge } from "../../../base/edge.ts";
import type { Entry } from "../../../base/entry.ts";
import type { EntryId } from "../../../base/ids.ts";
import type { EntryChange } from "../../../collection/requests.ts";
import { NOTE_FORMS } from "../../../policies/note-text.ts";
import { EDGE, memoriesOnly } from "../../graph/entity.ts";
import { settle } from "../pending.ts";
import type { TriggerContext } from "../trigger.ts";
import { hasEvolved, withEvolved } from "./evolved.ts";
import { type LinkPolicy, ownMemories } from "./link-policy.ts";
import { evolve, type Neighbour, neighboursOf } from "./neighbourhood.ts";
import { countEvolutions, documentVectors, reembedAll, rewritten } from "./rewrite-note.ts";

export const evolveNoteOptions = z.strictObject({
  link_policy: z.literal("evolve_note").describe("A note and its neighbours change each other (A-Mem)."),
  neighbours: z.int().min(1).describe("How many neighbours are shown."),
  prompt: z.string().min(1).describe("Id of the prompt that asks how the note and its neighbours change."),
  update_target: z
    .enum(["neighbour", "rank_in_list"])
    .describe(
      "Who changes: the neighbours that were shown, or, as the released library has it by mistake, as many of the first notes ever stored.",
    ),
  reembed: z
    .enum(NOTE_FORMS)
    .nullable()
    .describe(
      "The form in which a changed note is embedded anew, the one it was embedded in on insertion; null: its vector stays.",
    ),
  rebuild: z
    .strictObject({
      every: z.int().min(1).describe("After so many notes that changed something."),
      embed: z.enum(NOTE_FORMS).describe("The form in which every note is embedded anew."),
    })
    .nullable()
    .describe("When all notes are embedded anew; null: never."),
});
type Options = z.infer<typeof evolveNoteOptions>;

const POLICY = "evolve_note";
const BY = { cause: `link_evolution: ${POLICY}` };
const ANY = -1;

export const evolveNotes: LinkPolicy<Options> = async (context, options, entries) => {
  const { scope, store } = context;
  const notes = await ownMemories(context, entries);
  let edges = 0;
  for (const { id } of notes) {
    // Read again: as a neighbour of one before, it may have changed.
    const note = await store.get(scope, id);
    if (note === undefined || hasEvolved(note, POLICY)) continue;
    edges += await evolveOne(context, note, options);
  }
  await settle(
    context,
    "link",
    notes.map(({ id }) => id),
  );
  return { examined: notes.length, edges };
};

/** How many links it made. What changes, of the note and of older ones, changes in one transaction, or none of it does. */
async function evolveOne(context: TriggerContext, note: Entry, options: Options): Promise<number> {
  const { scope, store } = context;
  const { neighbours: k, prompt, reembed, rebuild } = options;
  const vectors = await documentVectors(context, note.content);
  const near = await neighboursOf(context, note, {
    ...(vectors.length === 0 ? {} : { vectors }),
    ...{ k, threshold: ANY },
  });
  const { evolves, links, tags, changes } = await evolve(context, note, near, prompt);
  const written: { readonly id: EntryId; readonly change: EntryChange }[] = [];
  const targets = await targetsOf(context, note, near, options);
  for (const [place, { tags: newTags, context: newContext = "" }] of changes.entries()) {
    const entry = targets[place];
    // Public notes are the public scope's to change.
    if (entry === undefined || entry.scope !== scope) continue;
    const said = newContext === "" ? {} : { metadata: { ...entry.metadata, context: newContext } };
    const change = await rewritten(context, entry, { tags: newTags, ...said }, reembed);
    if (change !== undefined) written.push({ id: entry.id, change });
  }
  const own = tags === undefined ? undefined : await rewritten(context, note, { tags }, reembed);
  const count = rebuild === null ? undefined : (await countEvolutions(context)) + (evolves ? 1 : 0);
  const marked = withEvolved(note.metadata, POLICY);
  const metadata = count === undefined ? marked : { ...marked, evolutions: count };
  written.push({ id: note.id, change: { ...own, metadata } });
  const drawn = await newLinks(context, note, links);
  await store.updateMany(scope, written, BY, drawn);
  if (rebuild !== null && evolves && (count ?? 0) % rebuild.every === 0)
    await reembedAll(context, rebuild.embed, BY);
  return drawn.length;
}

/** Links are added to those there are. */
async function newLinks(
  { scope, store, directed }: TriggerContext,
  { id }: Entry,
  links: readonly Neighbour[],
): Promise<NewEdge[]> {
  const there = (await store.edges(scope, [id])).filter(({ type }) => type === EDGE.link);
  const fresh = links.filter(
    ({ entry }) => !there.some(({ from, to }) => from === entry.id || to === entry.id),
  );
  return fresh.map(({ entry }) => ({
    ...{ from: id, to: entry.id, type: EDGE.link, directed, provenance: POLICY },
  }));
}

/** The entries that the changes are applied to, in the changes' order. */
async function targetsOf(
  { scope, store }: TriggerContext,
  { id }: Entry,
  near: readonly Neighbour[],
  { update_target }: Options,
): Promise<readonly Entry[]> {
  if (update_target === "neighbour") return near.map(({ entry }) => entry);
  const first = await store.scan(scope, { filter: memoriesOnly, limit: near.length + 1, own: true });
  return first.filter((entry) => entry.id !== id).slice(0, near.length);
}
