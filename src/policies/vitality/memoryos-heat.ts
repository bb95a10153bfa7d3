/**
 * MemoryOS heat in three forms. `seed` (S1-16, S1-17): accesses per hour of age and recency, half each. `segment` (Kang
 * et al., EMNLP 2025): α·visits + β·interactions + γ·recency, recency = e^(−time/μ); paper, released package and
 * evaluation differ only in these numbers. `service` (SAGE): visits, depth and recency, at most 1.
 *
 * Visits are the counted accesses; interactions (pages of a segment, or its depth) are the stored strength.
 */
import { z } from "zod";
import { recencyByTimeConstant, seedHeat, segmentHeat, serviceHeat } from "../../math/decay.ts";
import { daysBetween, hoursBetween } from "./elapsed.ts";
import { defineVitality } from "./vitality.ts";

const weight = z.number().min(0);
const options = z.discriminatedUnion("form", [
  z.strictObject({
    form: z
      .literal("seed")
      .describe("Half for accesses per hour of age, half for how recent the last one is."),
    decay_per_hour: z.number().min(0).describe("Rate at which recency fades, per hour since access."),
  }),
  z.strictObject({
    form: z.literal("segment").describe("Weighted sum of visits, interactions and recency, without a bound."),
    visit_weight: weight.describe("What one visit adds (α)."),
    interaction_weight: weight.describe("What one interaction adds (β)."),
    recency_weight: weight.describe("What a visit at this very moment adds (γ)."),
    recency_seconds: z
      .number()
      .positive()
      .nullable()
      .describe("Seconds in which recency falls to 1/e (μ); null: it stays at 1."),
  }),
  z.strictObject({
    form: z
      .literal("service")
      .describe("0.4 for visits (full at 10), 0.3 for depth (full at 5), 0.3·0.95^days."),
  }),
]);

export const memoryosHeat = defineVitality({
  name: "memoryos_heat",
  summary: "Heat by visits, interactions and recency; the numbers say whose (MemoryOS).",
  options,
  score(of, now, given) {
    const hoursSinceAccess = hoursBetween(of.lastAccessAt, now);
    switch (given.form) {
      case "seed":
        return seedHeat({
          accessCount: of.accessCount,
          ageHours: hoursBetween(of.createdAt, now),
          hoursSinceAccess,
          decayPerHour: given.decay_per_hour,
        });
      case "segment": {
        const { recency_seconds, visit_weight, interaction_weight, recency_weight } = given;
        const recency =
          recency_seconds === null ? 1 : recencyByTimeConstant(hoursSinceAccess * 3600, recency_seconds);
        const weights = { visits: visit_weight, interactions: interaction_weight, recency: recency_weight };
        return segmentHeat({ visits: of.accessCount, interactions: of.strength, recency, weights });
      }
      case "service": {
        const daysSinceVisit = daysBetween(of.lastAccessAt, now);
        return serviceHeat({ visits: of.accessCount, depth: of.strength, daysSinceVisit });
      }
    }
  },
});
