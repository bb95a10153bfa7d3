/** What a text tells about who its speakers are (LD-Agent): `metadata.persona`, each with speaker, kind and text. */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { extractPersona } from "../../../tasks/extract-persona.ts";
import { linesOf } from "../lines-of.ts";
import { promptOption } from "../prompt-option.ts";
import type { Findings } from "./findings.ts";

export const personaFields = { persona_prompt: promptOption("what a dialogue tells about a speaker") };

export const personaOptions = z.strictObject({
  extract_type: z
    .literal("persona")
    .describe("Traits, preferences and facts of the speakers, in metadata.persona."),
  ...personaFields,
});

export async function findPersona(
  draft: Draft,
  { think }: PreInsertContext,
  { persona_prompt }: { readonly persona_prompt: string },
): Promise<Findings> {
  const lines = linesOf(draft).map(({ line }) => line);
  const speakers = [...new Set(lines.map(({ speaker }) => speaker).filter((name) => name !== ""))];
  const persona: { speaker: string; kind: string; text: string }[] = [];
  for (const speaker of speakers) {
    const { traits } = await think(extractPersona, { speaker, lines }, persona_prompt);
    persona.push(...traits.map(({ kind, text }) => ({ speaker, kind, text })));
  }
  return { metadata: persona.length === 0 ? {} : { persona }, terms: [] };
}
