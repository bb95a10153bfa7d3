/**
 * Who and what the question names (HippoRAG's first step at a question): the names become where a walk over the graph
 * begins. A question that names nothing goes on as it came.
 */
import { z } from "zod";
import type { PreRetrievalContext } from "../../../pipeline/action.ts";
import type { Question } from "../../../pipeline/question.ts";
import { extractEntities } from "../../../tasks/extract-entities.ts";
import { distinctTexts } from "../../../tasks/reply-forms.ts";
import { layRoutes } from "../merge-routes.ts";

export const entityExtractOptions = z.strictObject({
  optimize_type: z.literal("entity_extract").describe("The names in the question, to start a walk from."),
  entity_prompt: z.string().min(1).describe('The prompt for the task "extract_entities".'),
});

export async function extractNames(
  question: Question,
  { think, note }: PreRetrievalContext,
  { entity_prompt }: z.infer<typeof entityExtractOptions>,
): Promise<Question> {
  const found = await think(extractEntities, { text: question.text }, entity_prompt);
  const names = distinctTexts(found.entities.map(({ name }) => name));
  note("entities", names);
  if (names.length === 0) return question;
  const entities = distinctTexts([...question.entities, ...names]);
  return layRoutes({ ...question, entities }, [{ strategy: "graph", entities: names }]);
}
