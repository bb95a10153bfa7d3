/** Which memories stand for what was said in these turns? Those that cite them, or what took their place. */
import { ARCHIVED, type Entry } from "../base/entry.ts";
import { type EntryId, parseEntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import { memoriesOnly } from "../services/graph/entity.ts";
import type { Storage } from "../storage/storage.ts";
import type { Running } from "./running.ts";
import { sameJudgment } from "./take-up-judged.ts";

const PAGE = 1000;

/** In the order of the turns, each once. */
export async function memoriesOf(
  { storage, design }: Pick<Running, "storage" | "design">,
  scope: Scope,
  turns: readonly Omit<Turn, "seq">[],
): Promise<EntryId[]> {
  const cited = new Map<string, Entry[]>(turns.map(({ id }) => [id, []]));
  const { collection } = design.service;
  // Whatever was made of a turn was made after it, and ids begin with the time.
  const first = turns.reduce(
    (oldest, { recordedAt }) => Math.min(oldest, recordedAt),
    Number.POSITIVE_INFINITY,
  );
  let after: EntryId | undefined = turns.length === 0 ? undefined : firstIdAt(first);
  while (after !== undefined) {
    const page: Entry[] = await storage.scan(scope, {
      collection,
      filter: memoriesOnly,
      after,
      limit: PAGE,
      own: true,
    });
    for (const entry of page) for (const source of entry.sources) cited.get(source)?.push(entry);
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  }
  const found: Entry[] = [];
  for (const turn of turns) {
    const known = await sameJudgment(design, storage, scope, turn);
    found.push(...(known === undefined ? [] : [known]), ...(cited.get(turn.id) ?? []));
  }
  const current = await currentOf(storage, scope, found);
  // What a sweep put away in the same breath can still be read, and whoever remembered it must be able to name it.
  const standing = current.length > 0 ? current : found.filter(({ tier }) => tier === ARCHIVED);
  return [...new Set(standing.map(({ id }) => id))];
}

/** What is in recall in their place; what was archived stands for nothing any more. */
export async function currentOf(
  storage: Storage,
  scope: Scope,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const current: Entry[] = [];
  for (const entry of entries) {
    let now: Entry | undefined = entry;
    while (now !== undefined && now.supersededBy !== null) {
      const [next]: (Entry | undefined)[] = await storage.entries(scope, now.collection, [now.supersededBy]);
      now = next;
    }
    if (now !== undefined && now.tier !== ARCHIVED) current.push(now);
  }
  return current;
}

function firstIdAt(moment: number): EntryId {
  const time = Math.floor(moment).toString(16).padStart(12, "0");
  return parseEntryId(`${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`);
}
