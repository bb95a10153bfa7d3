/** What was said that a memory comes from? Followed through what it was derived from (insights, summaries) to the turns. */
import type { Entry } from "../base/entry.ts";
import { isEntryId, parseTurnId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import type { Storage } from "../storage/storage.ts";

/** More than any design derives from what it derived. */
const MAX_DEPTH = 16;

/** For each entry of one collection its turns, in the order they were said. */
export async function turnSources(
  storage: Storage,
  scope: Scope,
  entries: readonly (Pick<Entry, "sources" | "collection"> & { readonly id: string })[],
): Promise<Turn[][]> {
  const collection = entries[0]?.collection ?? "";
  const known = new Map<string, readonly string[]>(entries.map(({ id, sources }) => [id, sources]));
  const turns = new Map<string, Turn>();
  let open = entries.flatMap(({ sources }) => sources);
  for (let depth = 0; open.length > 0 && depth < MAX_DEPTH; depth++) {
    const ids = [...new Set(open)].filter((id) => isEntryId(id) && !turns.has(id) && !known.has(id));
    if (ids.length === 0) break;
    const found = await storage.turns(scope, { ids: ids.map(parseTurnId), limit: ids.length });
    for (const turn of found) turns.set(turn.id, turn);
    const rest = ids.filter(isEntryId).filter((id) => !turns.has(id));
    const derived = rest.length === 0 ? [] : await storage.entries(scope, collection, rest);
    for (const entry of derived) if (entry !== undefined) known.set(entry.id, entry.sources);
    open = derived.flatMap((entry) => entry?.sources ?? []);
  }
  return entries.map(({ id }) => {
    const reached = new Set<string>();
    const visit = (source: string): void => {
      if (reached.has(source)) return;
      reached.add(source);
      known.get(source)?.forEach(visit);
    };
    visit(id);
    return [...reached].flatMap((source) => turns.get(source) ?? []).sort((a, b) => a.seq - b.seq);
  });
}
