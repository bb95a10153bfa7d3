/** A memory with what is known about it: chosen keys of its metadata, or its tags, behind the text. */
import { z } from "zod";
import type { Json } from "../../../base/json.ts";
import type { Found, FoundHit } from "../../../pipeline/question.ts";
import { oneLine } from "../../../tasks/dialogue.ts";

export const metadataOptions = z.strictObject({
  augment_type: z.literal("metadata").describe("Shows chosen metadata behind each hit's text."),
  keys: z
    .array(z.string().min(1))
    .min(1)
    .describe(
      "The keys, in the order they are shown; a hit shows those it has whose value its text does not say already. tags: those of the memory itself.",
    ),
});

export function addMetadata(found: Found, { keys }: z.infer<typeof metadataOptions>): Found {
  const hits = found.hits.map((hit) => {
    const text = oneLine(hit.text);
    const known = keys.flatMap((key) => {
      const value = printJson(fieldOf(hit, key));
      // What the text says already is not said twice.
      return value === "" || text.includes(value) ? [] : [`${key}: ${value}`];
    });
    return known.length === 0 || hit.text === ""
      ? hit
      : { ...hit, text: `${hit.text} (${known.join("; ")})` };
  });
  return { ...found, hits };
}

function fieldOf({ metadata, tags }: FoundHit, key: string): Json | undefined {
  if (Object.hasOwn(metadata, key)) return metadata[key];
  return key === "tags" ? [...tags] : undefined;
}

/** Lists by commas, everything on one line. */
function printJson(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (isList(value))
    return value
      .map(printJson)
      .filter((text) => text !== "")
      .join(", ");
  return oneLine(typeof value === "string" ? value.trim() : JSON.stringify(value));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
