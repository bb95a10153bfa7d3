/** A note that says something else from now on gets the vector of what it says, in the form it was embedded in before. */
import type { Entry, EntryFields } from "../../../base/entry.ts";
import type { Vector } from "../../../base/vector.ts";
import type { By } from "../../../collection/collection.ts";
import type { EntryChange } from "../../../collection/requests.ts";
import { type NoteForm, noteText } from "../../../policies/note-text.ts";
import { memoriesOnly } from "../../graph/entity.ts";
import { allVitals, ownEntries } from "../own-entries.ts";
import type { TriggerContext } from "../trigger.ts";
import { contentSpaces, contentVectors } from "./link-policy.ts";
import { noteOf } from "./neighbourhood.ts";

/** What is written when tags or context change, with the vector of it; undefined: it says the same as before. */
export async function rewritten(
  context: TriggerContext,
  note: Entry,
  change: Pick<EntryFields, "tags" | "metadata">,
  form: NoteForm | null,
): Promise<EntryChange | undefined> {
  // As it will be stored.
  const tags = [...new Set(change.tags ?? note.tags)].sort();
  const after = { ...note, tags, metadata: change.metadata ?? note.metadata };
  if (saysTheSame(note, after)) return undefined;
  const isMoved = form !== null && noteText(noteOf(note), form) !== noteText(noteOf(after), form);
  return isMoved ? { ...change, vectors: await vectorsAnew(context, after, form) } : change;
}

/** A-Mem's consolidation: every note of the scope. */
export async function reembedAll(context: TriggerContext, form: NoteForm, by: By): Promise<void> {
  const { scope, store } = context;
  for (const note of await ownEntries(context, memoriesOnly)) {
    const vectors = await vectorsAnew(context, note, form);
    if (vectors.length > 0) await store.update(scope, note.id, { vectors }, by);
  }
}

/** So many of the newest notes are looked at: one of them was the last to be counted. */
const LOOK_BACK = 100;

/** How many notes have changed something so far, as each note keeps it that was asked (`metadata.evolutions`). */
export async function countEvolutions(context: TriggerContext): Promise<number> {
  const { scope, store } = context;
  const newest = (await allVitals(context)).slice(-LOOK_BACK).map(({ id }) => id);
  const counts = (await store.getMany(scope, newest)).map((entry) => entry?.metadata.evolutions);
  return Math.max(0, ...counts.filter((count) => typeof count === "number"));
}

/** Those of a text in the spaces that memories are found in. */
export async function documentVectors(
  { scope, deps }: TriggerContext,
  text: string,
): Promise<readonly Vector[]> {
  const made = (await deps.embedder?.embedDocuments([text], { scope })) ?? [];
  const spaces = contentSpaces(deps);
  return made.flatMap((vector) => (vector !== undefined && spaces.includes(vector.space) ? [vector] : []));
}

async function vectorsAnew(context: TriggerContext, note: Entry, form: NoteForm): Promise<readonly Vector[]> {
  const made = await documentVectors(context, noteText(noteOf(note), form));
  // In a space where it had none, no index would hold the new one.
  const had = new Set((await contentVectors(context, note.id)).map(({ space }) => space));
  return made.filter(({ space }) => had.has(space));
}

function saysTheSame(one: Entry, other: Entry): boolean {
  const whole = (entry: Entry): string => JSON.stringify([entry.tags, entry.metadata]);
  return whole(one) === whole(other);
}
