/** Which JSON values are objects: neither a list, nor null, nor a scalar. */
import type { Json, JsonObject } from "../base/json.ts";

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
