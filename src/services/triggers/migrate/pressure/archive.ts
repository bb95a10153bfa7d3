/** Passages filed for later: each once, whoever files it. */
import { where } from "../../../../base/filter.ts";
import type { EntryId } from "../../../../base/ids.ts";
import { PASSAGE } from "../../../memory-pages.ts";
import { insertDerived } from "../../derived.ts";
import type { TriggerContext } from "../../trigger.ts";
import type { Made, Packet } from "./made.ts";

/** False if it is there already. */
export async function file(
  context: TriggerContext,
  tier: string,
  content: string,
  { happenedAt, sources }: Omit<Packet, "messages">,
  made: Made,
): Promise<boolean> {
  if (await isFiled(context, tier, content)) return false;
  const passage = {
    kind: PASSAGE,
    content,
    happenedAt,
    sources,
    insertMode: "active",
    insertParams: { targetTier: tier },
  } as const;
  const ids: EntryId[] = await insertDerived(context, [passage]);
  made.added.push(...ids);
  return true;
}

export async function isFiled({ retrieve }: TriggerContext, tier: string, content: string): Promise<boolean> {
  const same = await retrieve({
    filter: where.and(where.eq("kind", PASSAGE), where.eq("content", content)),
    topK: 1,
    own: true,
    hints: { strategy: "structured", tiers: [tier] },
  });
  return same.length > 0;
}
