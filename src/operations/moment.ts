/** A moment, as programs and models write it: epoch milliseconds, or ISO 8601; without a zone it is UTC. Read, it is a number. */
import { z } from "zod";
import { momentSchema } from "../base/moment.ts";

const DAY_MS = 86_400_000;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const ISO_MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;
const VALID = "epoch milliseconds, or ISO 8601 as 2023-05-08 or 2023-05-08T13:56:00Z";

const written = z.union([momentSchema, z.string().max(40)], { error: `must be ${VALID}` });

export const momentInput: z.ZodType<number, number | string> = written.transform((given, context) =>
  readMoment(given, context),
);

/** The end of a span: a day without a time is meant whole. */
export const lastMomentInput: z.ZodType<number, number | string> = written.transform((given, context) => {
  const isDay = typeof given === "string" && ISO_DAY.test(given);
  return readMoment(given, context) + (isDay ? DAY_MS - 1 : 0);
});

function readMoment(given: number | string, context: z.RefinementCtx): number {
  const moment = typeof given === "number" ? given : readIso(given);
  if (momentSchema.safeParse(moment).success) return moment;
  context.addIssue({ code: "custom", message: `must be ${VALID}` });
  return z.NEVER;
}

function readIso(text: string): number {
  const day = text.slice(0, 10);
  const start = Date.parse(day);
  // The 31st of February would be a day of March.
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day) return Number.NaN;
  if (ISO_DAY.test(text)) return start;
  const found = ISO_MOMENT.exec(text);
  if (found === null) return Number.NaN;
  return Date.parse(found[1] === undefined ? `${text}Z` : text);
}
