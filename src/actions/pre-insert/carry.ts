/**
 * What somebody told about a turn goes with the memory of it (S4-9): where it was said, where it comes from, its tags, how
 * much it matters. A turn carries it in its metadata; `tags` and `importance` become the entry's own, the rest its metadata.
 */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/json.ts";
import { labelSchema } from "../../base/text-input.ts";
import { defineAction } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";

const options = z.strictObject({
  fields: z
    .array(z.string().min(1))
    .min(1)
    .describe("Fields of a turn's metadata that go with its memory; tags and importance become its own."),
});

export const carry = defineAction({
  stage: "pre_insert",
  name: "carry",
  summary: "Takes what was told about a turn along: place, source, tags, importance.",
  options,
  run({ drafts }, { note }, { fields }) {
    const unfit: string[] = [];
    const carried = drafts.map((draft) => withTold(draft, fields, unfit));
    // The turn is in the journal: what is of the wrong form is told of, and nothing waits for ever because of it.
    if (unfit.length > 0) note("not_carried", [...new Set(unfit)]);
    return carried;
  },
});

const tagsSchema = z.array(labelSchema).max(1000);
const importanceSchema = z.number().min(0).max(1);

/** Of several turns the last that tells a field is right about it; tags come from all. */
function withTold(draft: Draft, fields: readonly string[], unfit: string[]): Draft {
  let { tags = [], importance } = draft;
  const more: Record<string, Json> = {};
  for (const { metadata } of draft.turns) {
    for (const [field, value] of told(metadata, fields)) {
      if (field === "tags") {
        const given = tagsSchema.safeParse(value);
        if (given.success) tags = [...new Set([...tags, ...given.data])];
        else unfit.push(field);
      } else if (field === "importance") {
        const given = importanceSchema.safeParse(value);
        if (given.success) importance = given.data;
        else unfit.push(field);
      } else more[field] = value;
    }
  }
  return { ...draft, tags, importance, metadata: { ...draft.metadata, ...more } };
}

function told(metadata: JsonObject, fields: readonly string[]): [string, Json][] {
  return fields.flatMap((field): [string, Json][] => {
    const value = metadata[field];
    return value === undefined ? [] : [[field, value]];
  });
}
