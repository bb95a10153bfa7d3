/** Summaries of what is new, of days and weeks, or one that goes on (S0-35; MemoryBank, MemGPT, SCM). */
import { summarize as trigger } from "../../services/triggers/summarize.ts";
import { delegated } from "./delegate/delegated.ts";
import { BY_VECTORS } from "./delegate/link-claims.ts";

export const summarize = delegated({
  trigger,
  subtype: "strategy",
  claims: ({ strategy }) => (strategy === "clusters" ? BY_VECTORS : {}),
});
