/** Entries move between tiers; their ids stay (S0-35, S0-93, B.0.9, 20; MemoryOS, LD-Agent). */
import { z } from "zod";
import { migrate as trigger } from "../../services/triggers/migrate.ts";
import { delegated } from "./delegate/delegated.ts";

const tier = z.string().optional();
const tiersSchema = z.looseObject({ target_tier: tier, segment_tier: tier, long_term_tier: tier });
/** Of the policy `pressure`. */
const rolesSchema = z.looseObject({ tiers: z.record(z.string(), z.string()) });

export const migrate = delegated({
  trigger,
  subtype: "migrate_policy",
  onlyNew: ({ migrate_policy, ids, filter }) =>
    migrate_policy === "manual" && ids === null && filter === null,
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
    const roles = rolesSchema.safeParse(options);
    if (roles.success) {
      const { tiers } = roles.data;
      return { abilities: ["queue"], tiers: [...new Set(Object.values(tiers))] };
    }
    const { target_tier, segment_tier, long_term_tier } = tiersSchema.parse(options);
    const tiers = [target_tier, segment_tier, long_term_tier].filter((name) => name !== undefined);
    return tiers.length === 0 ? {} : { tiers };
  },
});
