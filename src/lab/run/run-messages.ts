/** What a run in a process of its own and its parent say to each other. Keys go this way, never on a command line. */
import { z } from "zod";
import { ERROR_KINDS, MemoryError } from "../../base/errors.ts";
import { jsonObjectSchema } from "../../base/json.ts";
import { jobSchema } from "./job.ts";

export const taskSchema = z.strictObject({
  job: jobSchema,
  env: z.record(z.string(), z.string().optional()),
});

const count = z.number();
const progress = z.object({
  done: z.object({ turns: count, questions: count }),
  total: z.object({ turns: count, questions: count }),
  spent: z.object({ turnsMs: count, turns: count, questionsMs: count, questions: count }),
});

export const toldSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("progress"), progress }),
  /** The summary is in its file. */
  z.object({ type: z.literal("done") }),
  z.object({ type: z.literal("failed"), code: z.string(), message: z.string(), details: jsonObjectSchema }),
]);
export type Told = z.infer<typeof toldSchema>;

export function failure(error: unknown): Told {
  if (MemoryError.is(error))
    return { type: "failed", code: error.code, message: error.message, details: error.details };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { type: "failed", code: "invariant", message, details: {} };
}

export function asError({ code, message, details }: Extract<Told, { type: "failed" }>): MemoryError {
  const known = Object.keys(ERROR_KINDS).find((name): name is keyof typeof ERROR_KINDS => name === code);
  return new MemoryError(known ?? "invariant", message, { details });
}
