/** What is no longer alive leaves recall (S0-35, S0-93; MemoryBank). */
import { z } from "zod";
import { forgetting as trigger } from "../../services/triggers/forgetting.ts";
import { delegated } from "./delegate/delegated.ts";

const tiersSchema = z.looseObject({ tiers: z.array(z.string()).nullable() });

export const forgetting = delegated({
  trigger,
  aliases: { decay_type: "vitality.policy" },
  valueAliases: { decay_type: { heat: "memoryos_heat" } },
  claims: (options) => ({ tiers: tiersSchema.parse(options).tiers ?? [] }),
});
