/**
 * Asks by several vectors at once (S0-37): the question is embedded for each vector field, measured for the field of
 * emotions (Emotional RAG), and every field counts by its weight.
 */
import { z } from "zod";
import type { Vector } from "../../base/vector.ts";
import { defineAction, type PreRetrievalContext } from "../../pipeline/action.ts";
import type { SubQuery } from "../../pipeline/question.ts";
import { CONTENT, measureSpace } from "../../services/vector-fields.ts";
import { scoreEmotion } from "../../tasks/score-emotion.ts";
import { EMOTIONS } from "../../text/emotion.ts";
import { layRoutes } from "./merge-routes.ts";
import { inSpaces, spacesSchema, wantedSpaces } from "./vector-spaces.ts";

const options = z
  .strictObject({
    fields: z
      .array(
        z.strictObject({
          name: z.string().min(1).describe("A vector field of the memories; content is the one all have."),
          kind: z
            .enum(["text", "emotion"])
            .describe("text: the question is embedded for it; emotion: its eight emotions are measured."),
          weight: z.number().min(0).describe("What nearness in this field counts."),
        }),
      )
      .min(1)
      .refine((fields) => new Set(fields.map(({ name }) => name)).size === fields.length, {
        error: "must name every field once",
      })
      .describe("The vector fields to ask by."),
    spaces: spacesSchema,
    emotion_prompt: z
      .string()
      .min(1)
      .nullable()
      .describe("Prompt of the task score_emotion; null where no field is of that kind."),
  })
  .refine(({ fields, emotion_prompt }) => hasEmotion(fields) === (emotion_prompt !== null), {
    path: ["emotion_prompt"],
    error: "must be a prompt if a field is of the kind emotion, and null if none is",
  });
type Options = z.infer<typeof options>;

export const multiEmbed = defineAction({
  stage: "pre_retrieval",
  name: "multi_embed",
  summary: "Gives every query a vector for each of several fields, and each field its weight.",
  options,
  claims: ({ fields, emotion_prompt }) => ({
    ...(fields.some(({ kind }) => kind === "text") ? { embedder: true } : {}),
    queryVector: true,
    asksVectorFields: fields.map(({ name }) => name).filter((name) => name !== CONTENT),
    hints: [{ strategy: "semantic", names: ["fields", "weights"] }],
    prompts: emotion_prompt === null ? [] : [{ task: scoreEmotion, prompt: emotion_prompt }],
  }),
  async run(question, context, options) {
    const weights = Object.fromEntries(options.fields.map(({ name, weight }) => [name, weight]));
    const route = { strategy: "semantic", fields: Object.keys(weights), weights } as const;
    const laid = layRoutes(question, [route]);
    const queries = await Promise.all(
      laid.queries.map(async (query) => {
        const made = await Promise.all(
          options.fields.map((field) => vectorsOf(field, query, context, options)),
        );
        return { ...query, vectors: made.flat() };
      }),
    );
    if (queries.some(({ vectors }) => vectors.length > 0)) return { ...laid, queries };
    // Nobody reads its language: whatever the service can do without a vector is better than nothing.
    context.note("without_vector", true);
    return question;
  },
});

type Field = Options["fields"][number];

async function vectorsOf(
  { name, kind }: Field,
  { text, embedText = text }: SubQuery,
  context: PreRetrievalContext,
  { spaces, emotion_prompt }: Options,
): Promise<Vector[]> {
  if (kind === "text") return inSpaces(await context.embed(embedText, name, wantedSpaces(spaces)), spaces);
  const scores = await context.think(scoreEmotion, { text }, emotion_prompt ?? undefined);
  context.note(`emotions of "${text}"`, scores);
  return [{ space: measureSpace(name), values: Float32Array.from(EMOTIONS, (emotion) => scores[emotion]) }];
}

function hasEmotion(fields: readonly { readonly kind: string }[]): boolean {
  return fields.some(({ kind }) => kind === "emotion");
}
