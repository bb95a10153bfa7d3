/** One entry with a vector for each field, each in an index of its own. */
import { z } from "zod";
import type { Vector } from "../../../base/vector.ts";
import type { Claims, PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { CONTENT, measureSpace } from "../../../services/vector-fields.ts";
import { emotionVector, scoreEmotions } from "../../../text/emotions.ts";
import { EMOTION_FIELD } from "../score/emotion.ts";
import { embedField } from "./embed-field.ts";
import { TEXT_FIELDS } from "./field-text.ts";

const fieldSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/)
    .describe("Name of the vector field; content is the one that every service has."),
  field: z
    .enum([...TEXT_FIELDS, EMOTION_FIELD.name])
    .describe("The text that is embedded, or emotion: eight numbers, as score gave them or else by lexicon."),
});
type Field = z.infer<typeof fieldSchema>;

export const dictOptions = z.strictObject({
  output: z.literal("dict").describe("One entry with a vector for each field."),
  fields: z
    .array(fieldSchema)
    .min(1)
    .refine((fields) => new Set(fields.map(({ name }) => name)).size === fields.length, {
      error: "must not name a field twice",
    })
    .describe("The vector fields."),
});

export function dictFields(fields: readonly Field[]): NonNullable<Claims["vectorFields"]> {
  return fields
    .filter(({ name }) => name !== CONTENT)
    .map(({ name, field }) => (field === EMOTION_FIELD.name ? { ...EMOTION_FIELD, name } : { name }));
}

/** Whether any of them is a text, which takes an embedder; moods do not. */
export function hasTexts(fields: readonly Field[]): boolean {
  return fields.some(({ field }) => field !== EMOTION_FIELD.name);
}

export async function embedApart(
  drafts: readonly Draft[],
  context: PreInsertContext,
  fields: readonly Field[],
): Promise<Draft[]> {
  const columns: (Vector | undefined)[][] = [];
  for (const { name, field } of fields) {
    columns.push(
      field === EMOTION_FIELD.name
        ? drafts.map((draft) => moodOf(draft, name))
        : await embedField(drafts, context, field, name),
    );
  }
  return drafts.map((draft, place) => {
    const made = columns.flatMap((column) => column[place] ?? []);
    const spaces = new Set(made.map(({ space }) => space));
    const vectors = [...draft.vectors.filter(({ space }) => !spaces.has(space)), ...made];
    return { ...draft, vectors, insertMethod: "multi_index_insert" };
  });
}

function moodOf(draft: Draft, name: string): Vector {
  const given = draft.vectors.find(({ space }) => space === measureSpace(EMOTION_FIELD.name));
  const values = given?.values ?? Float32Array.from(emotionVector(scoreEmotions(draft.content)));
  return { space: measureSpace(name), values };
}
