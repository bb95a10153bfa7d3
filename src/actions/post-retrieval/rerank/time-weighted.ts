/** By score and age: score · (1 − rate)^hours (B.0.2). A score below zero is no claim to lose, and stays as it is. */
import { z } from "zod";
import { timeWeightPerHour } from "../../../math/decay.ts";
import type { Found } from "../../../pipeline/question.ts";
import { hoursSince, momentField } from "../../../policies/recency.ts";
import { bestFirst, rescored } from "../found-hits.ts";

export const timeWeightedOptions = z.strictObject({
  rerank_type: z.literal("time_weighted").describe("The score, faded by the age of the memory."),
  rate_per_hour: z.number().min(0).max(1).describe("The part of its score that a memory loses every hour."),
  time_field: momentField,
});

export function rankByTime(
  found: Found,
  { rate_per_hour, time_field }: z.infer<typeof timeWeightedOptions>,
): Found {
  const { at } = found.question;
  const faded = found.hits.map((hit) => {
    const time_weight = timeWeightPerHour(hoursSince(hit, time_field, at), rate_per_hour);
    return rescored(hit, hit.score > 0 ? hit.score * time_weight : hit.score, { time_weight });
  });
  return { ...found, hits: bestFirst(faded) };
}
