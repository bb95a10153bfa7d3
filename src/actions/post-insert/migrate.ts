/** Entries move between tiers; their ids stay (S0-35, S0-93, B.0.9, 20; MemoryOS, LD-Agent). */
import { z } from "zod";
import { migrate as trigger } from "../../services/triggers/migrate.ts";
import { delegated } from "./delegate/delegated.ts";

const targetSchema = z.looseObject({ target_tier: z.string().optional() });

export const migrate = delegated({
  trigger,
  subtype: "migrate_policy",
  problem({ migrate_policy, ids, filter, every_turns }) {
    if (migrate_policy !== "manual") return undefined;
    if (ids !== null && filter !== null)
      return 'Entries are named both by "ids" and by "filter". Valid: one of them';
    const isNamed = ids !== null || filter !== null;
    return isNamed || every_turns === 1
      ? undefined
      : 'What was just inserted is known only with every_turns 1. Valid: that, "ids" or "filter"';
  },
  claims(options) {
    const { target_tier } = targetSchema.parse(options);
    return target_tier === undefined ? {} : { tiers: [target_tier] };
  },
});
