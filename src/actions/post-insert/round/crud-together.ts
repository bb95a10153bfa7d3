/**
 * Mem0 as released: one call decides about all new memories at once. What lies near each is looked up first, every memory
 * that was found is shown once under its number, and each new one gets one decision. Two of them cannot take the place of
 * the same memory: the second is added beside the first.
 */
import type { Entry } from "../../../base/entry.ts";
import type { EntryId } from "../../../base/ids.ts";
import type { Inserted, PostInsertContext } from "../../../pipeline/action.ts";
import { decideCrud } from "../../../tasks/decide-crud.ts";
import type { CrudEvent } from "../../../tasks/rules/conflict.ts";
import { ADD, carryOutCrud, isNoNewer } from "./crud.ts";
import { fieldsOf } from "./merge.ts";
import { distinctEntries, type Looking, openRound, type Round } from "./rounds.ts";

/** Told the event of each entry that was decided about. */
export async function decideTogether(
  inserted: readonly Inserted[],
  context: PostInsertContext,
  how: Looking & { readonly prompt: string },
  told: (id: EntryId, event: CrudEvent) => void,
): Promise<void> {
  const fresh = distinctEntries(inserted);
  const hidden = fresh.map(({ id }) => id);
  const rounds: Round[] = [];
  for (const one of fresh) {
    const round = await openRound(one, context, how, hidden);
    if (round !== undefined) rounds.push(round);
  }
  if (rounds.length < fresh.length) context.note("without_vector", fresh.length - rounds.length);
  if (rounds.length === 0) return;
  const memories = [
    ...new Map<EntryId, Entry>(rounds.flatMap(({ near }) => near.map((hit) => [hit.id, hit]))).values(),
  ];
  const facts = rounds.map(({ entry }) => entry.content);
  const given = { facts, memories: memories.map(({ content }) => content) };
  const { decisions } = await context.think(decideCrud, given, how.prompt);
  const gone = new Set<EntryId>();
  for (const [place, { id, entry, cycle }] of rounds.entries()) {
    const { event, id: number, text } = decisions.find(({ fact }) => fact === place) ?? ADD;
    const named = number === null ? undefined : memories[number];
    const isOpen = named !== undefined && !gone.has(named.id) && isNoNewer(named, entry);
    const known = isOpen ? named : undefined;
    const round = { id, fresh: entry, fields: fieldsOf(entry.vectors ?? []), cycle };
    const outcome = await carryOutCrud(round, context, { event, text, known });
    for (const left of outcome.retired) gone.add(left);
    told(id, outcome.event);
  }
}
