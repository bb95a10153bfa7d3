/**
 * MemoryBank retention (Zhong et al., AAAI 2024) by days since the last recall and strength S, which every recall raises:
 * e^(−t/S) in the paper, e^(−t/(5·S)) as its program evidently meant, e^(−t·S/5) as released. A fourth form is SAGE's
 * hierarchical service: e^(−t/(1 + growth·recalls)). Stored strength is what recalls have added to the initial one.
 */
import { z } from "zod";
import { memoryBankRetention, serviceRetention } from "../../math/decay.ts";
import { daysBetween } from "./elapsed.ts";
import { defineVitality } from "./vitality.ts";

const options = z.discriminatedUnion("form", [
  z.strictObject({
    form: z
      .enum(["paper", "intended", "released"])
      .describe(
        "Formula: the paper's, the one its program evidently meant, or the one it was released with.",
      ),
    initial_strength: z.number().positive().describe("Strength S of a memory that was never recalled."),
    strength_per_recall: z.int().min(0).describe("How much a recall raises S."),
  }),
  z.strictObject({
    form: z
      .literal("service")
      .describe("Formula of a hierarchical service: S is 1 and grows with each recall."),
    growth_per_recall: z.number().min(0).describe("How much a recall raises S."),
  }),
]);

export const memorybankRetention = defineVitality({
  name: "memorybank_retention",
  summary: "Probability from 0 to 1 of still being retained, by days since recall and strength (MemoryBank).",
  options,
  score(of, now, given) {
    const days = daysBetween(of.lastAccessAt, now);
    return given.form === "service"
      ? serviceRetention(days, of.accessCount, given.growth_per_recall)
      : memoryBankRetention(days, given.initial_strength + of.strength, given.form);
  },
  onAccess: (_of, _now, given) =>
    given.form === "service" ? {} : { addStrength: given.strength_per_recall },
});
