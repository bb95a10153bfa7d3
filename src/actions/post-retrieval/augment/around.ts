/** What stands around a memory in time: entries of the same session (of any, where it has none) within some minutes. */
import { type Filter, where } from "../../../base/filter.ts";
import type { Hit } from "../../../base/hit.ts";
import type { ReadHandle } from "../../../pipeline/action.ts";
import type { FoundHit } from "../../../pipeline/question.ts";
import { toFound } from "../../../pipeline/question.ts";
import { oldestFirst } from "../found-hits.ts";

export interface Around {
  /** Nearest last. */
  readonly before: readonly FoundHit[];
  /** Nearest first. */
  readonly after: readonly FoundHit[];
}

const MINUTE_MS = 60_000;
/** More than anybody says in the minutes around one memory. */
const MOST = 1000;

export async function readAround(
  hit: FoundHit,
  store: ReadHandle,
  { minutes, filter }: { readonly minutes: number; readonly filter: Filter | undefined },
): Promise<Around> {
  const { session } = hit.metadata;
  const window = {
    gte: hit.happenedAt - minutes * MINUTE_MS,
    lte: hit.happenedAt + minutes * MINUTE_MS,
  };
  const wanted = [
    where.range("happenedAt", window),
    ...(typeof session === "string" ? [where.eq("metadata.session", session)] : []),
    ...(filter === undefined ? [] : [filter]),
  ];
  const near = await store.retrieve({
    filter: where.and(...wanted),
    topK: MOST,
    hints: { strategy: "structured" },
  });
  const others = oldestFirst(near).filter(({ id }) => id !== hit.id);
  const isBefore = (one: Hit): boolean =>
    one.happenedAt < hit.happenedAt || (one.happenedAt === hit.happenedAt && one.id < hit.id);
  return {
    before: others.filter(isBefore).map(toFound),
    after: others.filter((one) => !isBefore(one)).map(toFound),
  };
}
