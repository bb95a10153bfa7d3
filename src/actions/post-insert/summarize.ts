/** Summaries of what is new, of days and weeks, or one that goes on (S0-35; MemoryBank, MemGPT, SCM). */
import { z } from "zod";
import { summarize as trigger } from "../../services/triggers/summarize.ts";
import { delegated } from "./delegate/delegated.ts";
import { clusterClaims } from "./delegate/link-claims.ts";

/** Of summaries by days and weeks. */
const tiersSchema = z.looseObject({
  target_tiers: z.record(z.string(), z.string()).nullable().default(null),
});

export const summarize = delegated({
  trigger,
  subtype: "strategy",
  claims(options) {
    if (options.strategy === "clusters") return clusterClaims(options);
    const { target_tiers } = tiersSchema.parse(options);
    return target_tiers === null ? {} : { tiers: [...new Set(Object.values(target_tiers))] };
  },
});
