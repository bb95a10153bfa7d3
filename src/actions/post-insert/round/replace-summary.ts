/** A running summary takes the place of the one before: the old is kept, out of sight of who reads the newest. */
import { where } from "../../../base/filter.ts";
import type { Inserted, PostInsertContext } from "../../../pipeline/action.ts";
import { isRunningSummary, RUNNING } from "../../pre-insert/running-summary.ts";

export function isSummary({ draft }: Inserted): boolean {
  return draft.metadata?.[RUNNING] === true;
}

export async function replaceSummary({ id }: Inserted, { store }: PostInsertContext): Promise<void> {
  const cycle = store.cycle(id);
  const before = await cycle.retrieve({
    filter: where.and(isRunningSummary, where.not(where.eq("id", id))),
    topK: MOST,
    own: true,
    hints: { strategy: "structured" },
  });
  const old = before.map((hit) => hit.id);
  if (old.length > 0) await cycle.delete(old, { supersededBy: id });
}

/** There is one; more only where an action failed half-way. */
const MOST = 10;
