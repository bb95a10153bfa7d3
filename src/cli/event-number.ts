/** Which event is meant? Its number, as history shows it. */
import { MemoryError } from "../base/errors.ts";

export function eventNumber(text: string, what: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(number) && number >= 0) return number;
  throw new MemoryError(
    "input_invalid",
    `${what} is "${text}". Valid: a number that neuromem history shows.`,
  );
}
