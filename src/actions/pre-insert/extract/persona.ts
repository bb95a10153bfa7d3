/** What a text tells about who its speakers are (LD-Agent): `metadata.persona`, each with speaker, kind and text. */
import { z } from "zod";
import type { Turn } from "../../../base/turn.ts";
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

/** `before`: what was said just before; what others said of it is shown, so that an answer is understood. */
export async function findPersona(
  draft: Draft,
  { think }: PreInsertContext,
  { persona_prompt }: { readonly persona_prompt: string },
  before: readonly Turn[] = [],
): Promise<Findings> {
  const lines = linesOf(draft).map(({ line }) => line);
  const session = draft.turns[0]?.session;
  const speakers = [...new Set(lines.map(({ speaker }) => speaker).filter((name) => name !== ""))];
  const persona: { speaker: string; kind: string; text: string }[] = [];
  for (const speaker of speakers) {
    const heard = before.filter((turn) => turn.session === session && turn.speaker !== speaker);
    const shown = { speaker, lines: [...heard, ...lines] };
    const { traits } = await think(extractPersona, shown, persona_prompt);
    persona.push(...traits.map(({ kind, text }) => ({ speaker, kind, text })));
  }
  return { metadata: persona.length === 0 ? {} : { persona }, terms: [] };
}
