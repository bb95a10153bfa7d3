/** An entry for each text, found by it, which shows what was said. `metadata.embedded_field` says which text it is. */
import { z } from "zod";
import type { Draft } from "../../../pipeline/draft.ts";
import { recast } from "../recast.ts";
import { fieldText, TEXT_FIELDS, type TextField } from "./field-text.ts";

export const separateOptions = z.strictObject({
  output: z
    .literal("separate")
    .describe("An entry for each text, which shows what was said when it is found."),
  fields: z
    .array(z.strictObject({ field: z.enum(TEXT_FIELDS).describe("The text that becomes an entry.") }))
    .min(1)
    .describe("The texts."),
});

/** A draft that has none of the texts is kept as it is. */
export function splitByField(draft: Draft, fields: readonly { readonly field: TextField }[]): Draft[] {
  const { originalText } = draft.insertParams;
  const found = fields.flatMap(({ field }) => {
    const content = fieldText(draft, field);
    if (content === undefined) return [];
    return [
      recast(draft, {
        content,
        metadata: { embedded_field: field },
        insertMethod: "multi_index_insert",
        insertParams: { originalText: originalText ?? (field === "content" ? undefined : draft.content) },
      }),
    ];
  });
  return found.length === 0 ? [{ ...draft, insertMethod: "multi_index_insert" }] : found;
}
