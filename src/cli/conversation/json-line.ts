/** A line that should be JSON; a refusal says which line, and what it could be. */
import { MemoryError } from "../../base/errors.ts";

export function readJsonLine(line: string, where: string, valid: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new MemoryError("input_invalid", `The ${where} is no JSON. Valid: ${valid}.`, { cause });
  }
}
