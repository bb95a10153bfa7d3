/**
 * One entry with one vector, in which each text has its weight. It is a weighted sum: vectors laid end to end are compared
 * with a question by laying the question end to end with itself, and Σ wᵢ(vᵢ·q) = (Σ wᵢvᵢ)·q. So the sum ranks alike, and
 * lives in the embedder's own space.
 */
import { z } from "zod";
import type { Vector } from "../../../base/vector.ts";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { CONTENT } from "../../../services/vector-fields.ts";
import { embedField } from "./embed-field.ts";
import { TEXT_FIELDS } from "./field-text.ts";

const weightedField = z.strictObject({
  field: z.enum(TEXT_FIELDS).describe("The text of the memory that is embedded."),
  weight: z.number().positive().describe("What the text counts in the one vector."),
});

export const concatOptions = z.strictObject({
  output: z.literal("concat").describe("One entry with one vector, in which each text has its weight."),
  fields: z.array(weightedField).min(1).describe("The texts and their weights."),
});

export async function embedTogether(
  drafts: readonly Draft[],
  context: PreInsertContext,
  fields: readonly z.infer<typeof weightedField>[],
): Promise<Draft[]> {
  const columns: { readonly weight: number; readonly vectors: (Vector | undefined)[] }[] = [];
  for (const { field, weight } of fields) {
    columns.push({ weight, vectors: await embedField(drafts, context, field, CONTENT) });
  }
  return drafts.map((draft, place) => {
    const parts = columns.flatMap(({ weight, vectors }) => {
      const vector = vectors[place];
      return vector === undefined ? [] : [{ weight, vector }];
    });
    const others = draft.vectors.filter(({ space }) => space.includes("#"));
    return { ...draft, vectors: [...others, ...sums(parts)], insertMethod: "multi_index_insert" };
  });
}

/** One vector per space: texts of two languages may lie in two. */
function sums(parts: readonly { readonly weight: number; readonly vector: Vector }[]): Vector[] {
  const bySpace = new Map<string, Float32Array>();
  for (const { weight, vector } of parts) {
    const sum = bySpace.get(vector.space) ?? new Float32Array(vector.values.length);
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + weight * (vector.values[i] as number);
    bySpace.set(vector.space, sum);
  }
  return [...bySpace]
    .filter(([, values]) => values.some((value) => value !== 0))
    .map(([space, values]) => ({ space, values }));
}
