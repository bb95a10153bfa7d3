/** Entries move between tiers; their ids stay (S0-35, S0-93, B.0.9, 20; MemoryOS, LD-Agent). */
import { z } from "zod";
import { migrate as trigger } from "../../services/triggers/migrate.ts";
import { delegated } from "./delegate/delegated.ts";

const targetSchema = z.looseObject({ target_tier: z.string().optional() });

export const migrate = delegated({
  trigger,
  subtype: "migrate_policy",
  claims(options) {
    const { target_tier } = targetSchema.parse(options);
    return target_tier === undefined ? {} : { tiers: [target_tier] };
  },
});
