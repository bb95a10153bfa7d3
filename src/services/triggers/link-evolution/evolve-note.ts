/**
 * A new note and its neighbours change each other (A-Mem, Xu et al., NeurIPS 2025): the task evolve_note says which
 * neighbours it is linked to, what its tags become, and what tags and context each neighbour has from now on. It comes to a
 * note once. Neighbours are those nearest to the note's content, whatever of a note is embedded, and are known by their ids
 * from the first step to the last, so that what changes is what was shown.
 */
import { z } from "zod";
import type { Entry } from "../../../base/entry.ts";
import { NOTE_FORMS } from "../../../policies/note-text.ts";
import { EDGE, memoriesOnly } from "../../graph/entity.ts";
import { settle } from "../pending.ts";
import type { TriggerContext } from "../trigger.ts";
import { hasEvolved, markEvolved } from "./evolved.ts";
import { type LinkPolicy, ownMemories } from "./link-policy.ts";
import { evolve, type Neighbour, neighboursOf } from "./neighbourhood.ts";
import { countEvolutions, documentVectors, reembedAll, rewrite } from "./rewrite-note.ts";

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

/** How many links it made. */
async function evolveOne(context: TriggerContext, note: Entry, options: Options): Promise<number> {
  const { neighbours: k, prompt, reembed, rebuild } = options;
  const by = { cause: `link_evolution: ${POLICY}` };
  const vectors = await documentVectors(context, note.content);
  const near = await neighboursOf(context, note, {
    ...(vectors.length === 0 ? {} : { vectors }),
    ...{ k, threshold: ANY },
  });
  const { evolves, links, tags, changes } = await evolve(context, note, near, prompt);
  const targets = await targetsOf(context, note, near, options);
  for (const [place, { tags: newTags, context: newContext = "" }] of changes.entries()) {
    const entry = targets[place];
    // Public notes are the public scope's to change.
    if (entry === undefined || entry.scope !== context.scope) continue;
    const said = newContext === "" ? {} : { metadata: { ...entry.metadata, context: newContext } };
    await rewrite(context, entry, { tags: newTags, ...said }, reembed, by);
  }
  if (tags !== undefined) await rewrite(context, note, { tags }, reembed, by);
  const drawn = await link(context, note, links);
  const count = rebuild === null ? undefined : (await countEvolutions(context)) + (evolves ? 1 : 0);
  await markEvolved(context, note.id, POLICY, count === undefined ? {} : { evolutions: count });
  if (rebuild !== null && evolves && (count ?? 0) % rebuild.every === 0)
    await reembedAll(context, rebuild.embed, by);
  return drawn;
}

/** Links are added to those there are. */
async function link(
  { scope, store, directed }: TriggerContext,
  { id }: Entry,
  links: readonly Neighbour[],
): Promise<number> {
  const there = (await store.edges(scope, [id])).filter(({ type }) => type === EDGE.link);
  const fresh = links.filter(
    ({ entry }) => !there.some(({ from, to }) => from === entry.id || to === entry.id),
  );
  const drawn = fresh.map(({ entry }) => ({
    ...{ from: id, to: entry.id, type: EDGE.link, directed, provenance: POLICY },
  }));
  await store.link(scope, drawn, { cause: `link_evolution: ${POLICY}` });
  return drawn.length;
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
