/**
 * Stores a memory with several vectors (S0-42): each joins the index of its own field, and `metadata.vector_fields` says
 * which there are.
 */
import { z } from "zod";
import type { Vector } from "../../base/vector.ts";
import { defineAction } from "../../pipeline/action.ts";
import { CONTENT } from "../../services/vector-fields.ts";
import { toInsert } from "./to-insert.ts";

export const multiIndexInsert = defineAction({
  stage: "memory_insert",
  name: "multi_index_insert",
  summary: "Stores a draft with a vector for each of several fields.",
  options: z.strictObject({
    target_indexes: z
      .array(z.string().min(1))
      .min(1)
      .nullable()
      .describe("Names of the service's indexes to join; null: those the draft names, or else all that fit."),
  }),
  run(draft, { store }, { target_indexes }) {
    const targetIndexes = target_indexes ?? draft.insertParams.targetIndexes;
    return store.insert(
      toInsert(draft, {
        metadata: { vector_fields: draft.vectors.map(fieldOf) },
        insertParams: { targetIndexes },
        ...(targetIndexes === undefined ? {} : { insertMode: "active" as const }),
      }),
    );
  },
});

/** A vector of another field than the content has "#" and the field's name at the end of its space. */
function fieldOf({ space }: Vector): string {
  const mark = space.lastIndexOf("#");
  return mark < 0 ? CONTENT : space.slice(mark + 1);
}
