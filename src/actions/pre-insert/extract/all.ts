/** Keywords, names, nouns and persona of a text at once. */
import { z } from "zod";
import type { Turn } from "../../../base/turn.ts";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { entityFields, findNames } from "./entity.ts";
import { addToMetadata, withFindings, withMetadata } from "./findings.ts";
import { findKeywords, keywordFields } from "./keyword.ts";
import { nounFields, nounsOf } from "./noun.ts";
import { findPersona, personaFields } from "./persona.ts";

export const allOptions = z.strictObject({
  extract_type: z
    .literal("all")
    .describe("Keywords, names, nouns and persona; what is told of persons is never a tag."),
  ...keywordFields,
  ...entityFields,
  ...nounFields,
  ...personaFields,
  add_to_metadata: addToMetadata,
});

export async function findAll(
  draft: Draft,
  context: PreInsertContext,
  options: z.infer<typeof allOptions>,
  before: readonly Turn[] = [],
): Promise<Draft> {
  const found = [
    await findKeywords(draft, context, options),
    await findNames(draft, context, options),
    await nounsOf(draft, options),
  ];
  const { metadata } = await findPersona(draft, context, options, before);
  return withMetadata(
    found.reduce((done, findings) => withFindings(done, findings, options.add_to_metadata), draft),
    metadata,
  );
}
