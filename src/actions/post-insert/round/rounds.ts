/**
 * The round of every new entry (S0-11): what lies near it is looked up once, the action decides, and what it retires is
 * out of sight of the rounds that follow. An entry meets only what was there before it: those that came after it in the
 * same packet have rounds of their own, and what is said later is never changed by what was said earlier. Public memories
 * are read by every scope, and changed by none but the public one.
 */
import { where } from "../../../base/filter.ts";
import type { Hit } from "../../../base/hit.ts";
import type { EntryId } from "../../../base/ids.ts";
import type { CycleHandle, Inserted, PostInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";

/** How memories near a new one are found: by meaning, then a score is a cosine, or by words. */
export const NEAR_BY = ["semantic", "lexical"] as const;
export type NearBy = (typeof NEAR_BY)[number];

export interface Round extends Inserted {
  readonly cycle: CycleHandle;
  /** The scope's own, nearest first. */
  readonly near: readonly Hit[];
}

export interface Looking {
  readonly search: NearBy;
  readonly topk: number;
}

/** `decide` says which entries it has retired. */
export async function runRounds(
  inserted: readonly Inserted[],
  context: PostInsertContext,
  how: Looking,
  decide: (round: Round) => Promise<readonly EntryId[]>,
): Promise<void> {
  const gone = new Set<EntryId>();
  let unread = 0;
  const fresh = distinctEntries(inserted);
  for (const [place, one] of fresh.entries()) {
    if (gone.has(one.id)) continue;
    const hidden = [...gone, ...fresh.slice(place).map((other) => other.id)];
    const round = await openRound(one, context, how, hidden);
    if (round === undefined) unread++;
    else for (const left of await decide(round)) gone.add(left);
  }
  if (unread > 0) context.note("without_vector", unread);
}

/** An insert method may give the id of what was there. */
export function distinctEntries(inserted: readonly Inserted[]): Inserted[] {
  return [...new Map(inserted.map((one) => [one.id, one])).values()];
}

/** The round of one entry, with what lies near it; undefined where nobody can tell what does. */
export async function openRound(
  one: Inserted,
  context: PostInsertContext,
  { search, topk }: Looking,
  hidden: readonly EntryId[],
): Promise<Round | undefined> {
  const asked = questionOf(one.draft, search);
  if (asked === undefined) return undefined;
  const cycle = context.store.cycle(one.id);
  const near = await cycle.retrieve({
    ...asked,
    topK: topk,
    own: true,
    filter: where.not(where.in("id", hidden)),
    hints: { strategy: search },
  });
  return { ...one, cycle, near };
}

/** Undefined for a text whose language the embedder does not read: it is near nothing. */
function questionOf({ content, embedText, vectors }: Draft, search: NearBy) {
  if (search === "lexical") return { text: embedText ?? content };
  // A vector of another field has "#" and the field's name in its space.
  const own = vectors.filter(({ space }) => !space.includes("#"));
  return own.length === 0 ? undefined : { vectors: own };
}
