/**
 * Which questions about a place in an entry's metadata can SQL decide, and with which parameters? Metadata is stored as
 * JSON.stringify wrote it, and the values asked for are written by the same function: two scalars are equal exactly where
 * their texts are. What an engine might read otherwise than we do is left to the evaluator.
 */
import type { Scalar } from "../../base/filter.ts";
import { MAX_JSON_DEPTH } from "../../base/json.ts";

/** Stands in a quoted key of a path as it is, in the path languages of all engines. */
const PLAIN_KEY = /^[^"\\\p{Cc}\p{Cs}]*$/u;

/** A place as `SqlWords.isAt` takes it; undefined where the engines may not find it alike. */
export function pathTo(place: string): string | undefined {
  const keys = place.split(".");
  if (keys.length > MAX_JSON_DEPTH || !keys.every((key) => PLAIN_KEY.test(key))) return undefined;
  return `$${keys.map((key) => `."${key}"`).join("")}`;
}

/** A value as it is stored; undefined where JSON has no word for a number, or an engine refuses a text. */
export function storedText(value: Scalar): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return undefined;
  if (typeof value === "string" && (!value.isWellFormed() || value.includes("\0"))) return undefined;
  return JSON.stringify(value);
}
