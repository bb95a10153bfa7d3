/** Memories that say alike things become one fact, which cites them (S4-16; BIEM's crystals). */
import { consolidateOptions, summarize as trigger } from "../../services/triggers/summarize.ts";
import { delegated } from "./delegate/delegated.ts";
import { clusterClaims } from "./delegate/link-claims.ts";

export const consolidate = delegated({
  trigger,
  name: "consolidate",
  summary: "Writes one fact for each group of memories that say alike things.",
  options: consolidateOptions,
  fixed: { strategy: "clusters", trigger_mode: "manual" },
  claims: clusterClaims,
});
