/** The edge where unknown values become typed ones. A refusal names every wrong path and what it should hold. */
import type { z } from "zod";
import { type ErrorCode, MemoryError } from "./errors.ts";

export function parseInput<T>(
  schema: z.ZodType<T>,
  value: unknown,
  what: string,
  code: ErrorCode = "input_invalid",
): T {
  const result = parseWithinStack(schema, value, what, code);
  if (result.success) return result.data;
  const problems = result.error.issues.slice(0, 5).map((issue) => {
    const path = issue.path.map(String).join(".");
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  throw new MemoryError(
    code,
    `The ${what} ${/^(options|params)\b/.test(what) ? "are" : "is"} not valid. ${problems.join("; ")}.`,
    {
      cause: result.error,
      details: { problems },
    },
  );
}

/** A value nested beyond the stack is bad input, not a defect of ours. */
function parseWithinStack<T>(schema: z.ZodType<T>, value: unknown, what: string, code: ErrorCode) {
  try {
    return schema.safeParse(value);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new MemoryError(code, `The ${what} is nested too deeply. Valid: at most a hundred levels.`, {
      cause,
    });
  }
}
