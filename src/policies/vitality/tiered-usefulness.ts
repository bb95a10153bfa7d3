/**
 * Three-grade decay (B.3; "grade" by C-16): what has not proved useful loses strength with time, what has proved somewhat
 * useful loses it only when it is recalled in vain, what has proved very useful loses none. Usefulness is points per
 * useful recall; the grades, from the least useful on, say what each loses.
 *
 * Strength is counted from the anchor (value and moment), or from the stored strength at creation as long as there is
 * none; a judgement that changes the grade or the strength writes a new anchor, so a loss is never taken twice.
 */
import { z } from "zod";
import type { Observables } from "../../base/entry.ts";
import { daysBetween } from "./elapsed.ts";
import { defineVitality } from "./vitality.ts";

const grade = z.strictObject({
  useful_from: z.number().min(0).describe("Points of usefulness from which the grade holds."),
  days_per_loss: z
    .number()
    .positive()
    .nullable()
    .describe("Days that cost 1 strength; null: time costs none."),
  useless_recall_loss: z.number().min(0).describe("Strength that a recall costs that was judged useless."),
});

const options = z.strictObject({
  points_per_useful: z.number().positive().describe("Points that one useful recall is worth."),
  grades: z
    .array(grade)
    .min(1)
    .refine((grades) => grades[0]?.useful_from === 0, "The first grade must hold from 0 points on")
    .refine(isAscending, "Grades must come in ascending order of useful_from")
    .describe("The grades, from the least useful on."),
});

export const tieredUsefulness = defineVitality({
  name: "tiered_usefulness",
  summary:
    "Strength that time takes from what was never useful, vain recalls from the middling, nothing from the best.",
  options,
  score: (of, now, given) => strengthAt(of, now, gradeOf(of.usefulCount, given)),
  onFeedback(of, feedback, now, given) {
    if (feedback === 0) return {};
    const before = gradeOf(of.usefulCount, given);
    const strength = strengthAt(of, now, before);
    if (feedback > 0) {
      const isSame = gradeOf(of.usefulCount + 1, given) === before;
      return isSame ? {} : { energyAnchor: { value: strength, at: now } };
    }
    const loss = before.useless_recall_loss;
    return loss === 0 ? {} : { energyAnchor: { value: strength - loss, at: now } };
  },
});

type Options = z.infer<typeof options>;
type Grade = z.infer<typeof grade>;

const IMMORTAL: Grade = { useful_from: 0, days_per_loss: null, useless_recall_loss: 0 };

function gradeOf(usefulCount: number, { points_per_useful, grades }: Options): Grade {
  const points = usefulCount * points_per_useful;
  return grades.findLast(({ useful_from }) => points >= useful_from) ?? IMMORTAL;
}

function strengthAt(of: Observables, now: number, { days_per_loss }: Grade): number {
  const { value, at } = of.energyAnchor ?? { value: of.strength, at: of.createdAt };
  return days_per_loss === null ? value : value - Math.max(0, daysBetween(at, now)) / days_per_loss;
}

function isAscending(grades: readonly Grade[]): boolean {
  return grades.every((one, i) => i === 0 || one.useful_from > (grades[i - 1]?.useful_from ?? 0));
}
