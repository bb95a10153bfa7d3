/** Insights that follow from what has come since the last ones (S0-35, S0-93; Generative Agents). */
import { reflection as trigger } from "../../services/triggers/reflection.ts";
import { delegated } from "./delegate/delegated.ts";

export const reflection = delegated({
  trigger,
  subtype: "trigger_mode",
  aliases: { threshold: "importance_threshold" },
});
