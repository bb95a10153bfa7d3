/**
 * One judged memory is taken up: through the design's pipeline, as it was worded, or, where the scope holds the same
 * judgment of the same type with the same fields of the caller's already, by that memory, which then cites this turn, too.
 */
import { isDeepStrictEqual } from "node:util";
import { ARCHIVED, type Entry } from "../base/entry.ts";
import { where } from "../base/filter.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import { hashOf } from "../collection/insert.ts";
import { type Judgment, judgmentOf } from "../pipeline/judgment.ts";
import type { OpenPreset } from "../preset/open.ts";
import type { Storage, Write } from "../storage/storage.ts";

/** Of memories that say the same, each with other fields, so many are looked at. */
const MOST_ALIKE = 1000;

/** The scope's own memory that says so, if one is in recall. */
export async function sameJudgment(
  { service }: Pick<OpenPreset, "service">,
  storage: Storage,
  scope: Scope,
  turn: Pick<Turn, "text" | "metadata">,
): Promise<Entry | undefined> {
  const judgment = judgmentOf(turn);
  if (judgment === undefined) return undefined;
  const { own } = judgment;
  const known = await storage.scan(scope, {
    collection: service.collection,
    filter: where.and(
      where.eq("contentHash", hashOf(turn.text)),
      where.eq("kind", judgment.type),
      where.eq("supersededBy", null),
      where.not(where.eq("tier", ARCHIVED)),
    ),
    limit: MOST_ALIKE,
    own: true,
  });
  return known.find(({ metadata }) => isDeepStrictEqual(metadata.own, own));
}

/** What the memory that is there learns from its being said again; nothing: it knew. */
export function saidAgain(known: Entry, turn: Turn): Write[] {
  const judgment = judgmentOf(turn);
  if (judgment === undefined || known.sources.includes(turn.id)) return [];
  return [{ op: "entry-update", id: known.id, fields: fieldsAgain(known, turn, judgment) }];
}

function fieldsAgain({ sources, tags, pinned, rationale }: Entry, { id }: Turn, judgment: Judgment) {
  const all = [...new Set([...tags, ...judgment.tags])].sort();
  return {
    sources: [...sources, id],
    ...(all.length === tags.length ? {} : { tags: all }),
    // Remembered on purpose once is remembered on purpose.
    ...(judgment.pinned && !pinned ? { pinned: true } : {}),
    ...(rationale === "" && judgment.reasoning !== "" ? { rationale: judgment.reasoning } : {}),
  };
}
