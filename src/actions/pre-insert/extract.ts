/** Reads out of a draft what it can be found and compared by, and leaves its text as it is (S0-28, C-26). */
import { z } from "zod";
import type { Turn } from "../../base/turn.ts";
import { type Claims, defineAction, type PreInsertContext } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { extractEntities } from "../../tasks/extract-entities.ts";
import { extractFacts } from "../../tasks/extract-facts.ts";
import { extractKeywords } from "../../tasks/extract-keywords.ts";
import { extractPersona } from "../../tasks/extract-persona.ts";
import { extractTriples } from "../../tasks/extract-triples.ts";
import { themes } from "../../tasks/themes.ts";
import { writeNote } from "../../tasks/write-note.ts";
import { allOptions, findAll } from "./extract/all.ts";
import { entityOptions, findNames } from "./extract/entity.ts";
import { factOptions, findFacts } from "./extract/fact.ts";
import { withFindings, withMetadata } from "./extract/findings.ts";
import { findKeywords, keywordOptions } from "./extract/keyword.ts";
import { findMentioned, mentionOptions } from "./extract/mention.ts";
import { findThemes, multiSummaryOptions } from "./extract/multi-summary.ts";
import { noteOptions, takeNote } from "./extract/note.ts";
import { nounOptions, nounsOf } from "./extract/noun.ts";
import { findPersona, personaOptions } from "./extract/persona.ts";
import { sentimentOf, sentimentOptions } from "./extract/sentiment.ts";
import { readTriples, tripleOptions } from "./extract/triple.ts";

const options = z.discriminatedUnion("extract_type", [
  keywordOptions,
  entityOptions,
  nounOptions,
  personaOptions,
  tripleOptions,
  factOptions,
  noteOptions,
  multiSummaryOptions,
  sentimentOptions,
  mentionOptions,
  allOptions,
]);
type Options = z.infer<typeof options>;

export const extract = defineAction({
  stage: "pre_insert",
  name: "extract",
  summary:
    "Reads keywords, names, nouns, persona, triples, facts, themes, feeling or a note out of what was said.",
  options,
  subtype: "extract_type",
  shorthands: {
    keyword: { extract_type: "keyword" },
    entity: { extract_type: "entity" },
    noun: { extract_type: "noun" },
    persona: { extract_type: "persona" },
    triple: { extract_type: "triple" },
    fact: { extract_type: "fact" },
    note: { extract_type: "note" },
    multi_summary: { extract_type: "multi_summary" },
    sentiment: { extract_type: "sentiment" },
    mention: { extract_type: "mention" },
  },
  claims: (given) => ({ prompts: promptsOf(given) }),
  async run({ drafts, before }, context, given) {
    const out: Draft[] = [];
    for (const draft of drafts)
      out.push(isSearched(draft) ? await enriched(draft, context, given, before) : draft);
    return out;
  },
});

/** What joins no index is never looked for, so nobody could find it by what is read out of it. */
function isSearched({ insertParams }: Draft): boolean {
  return insertParams.targetIndexes?.length !== 0;
}

async function enriched(
  draft: Draft,
  context: PreInsertContext,
  given: Options,
  before: readonly Turn[],
): Promise<Draft> {
  switch (given.extract_type) {
    case "keyword":
      return withFindings(draft, await findKeywords(draft, context, given), given.add_to_metadata);
    case "entity":
      return withFindings(draft, await findNames(draft, context, given), given.add_to_metadata);
    case "noun":
      return withFindings(draft, await nounsOf(draft, given), given.add_to_metadata);
    case "persona":
      return withMetadata(draft, (await findPersona(draft, context, given, before)).metadata);
    case "triple":
      return withMetadata(draft, (await readTriples(draft, context, given)).metadata);
    case "fact":
      return withMetadata(draft, (await findFacts(draft, context, given)).metadata);
    case "note":
      return takeNote(draft, context, given);
    case "multi_summary":
      return withMetadata(draft, (await findThemes(draft, context, given)).metadata);
    case "sentiment":
      return withMetadata(draft, sentimentOf(draft));
    case "mention":
      return withMetadata(draft, (await findMentioned(draft, given)).metadata);
    case "all":
      return findAll(draft, context, given, before);
  }
}

function promptsOf(given: Options): NonNullable<Claims["prompts"]> {
  switch (given.extract_type) {
    case "keyword":
      return [{ task: extractKeywords, prompt: given.keyword_prompt }];
    case "entity":
      return [{ task: extractEntities, prompt: given.entity_prompt }];
    case "noun":
    case "sentiment":
    case "mention":
      return [];
    case "persona":
      return [{ task: extractPersona, prompt: given.persona_prompt }];
    case "triple":
      return [{ task: extractTriples, prompt: given.triple_extraction_prompt }];
    case "fact":
      return [{ task: extractFacts, prompt: given.fact_prompt }];
    case "note":
      return [{ task: writeNote, prompt: given.note_prompt }];
    case "multi_summary":
      return [{ task: themes, prompt: given.themes_prompt }];
    case "all":
      return [
        { task: extractKeywords, prompt: given.keyword_prompt },
        { task: extractEntities, prompt: given.entity_prompt },
        { task: extractPersona, prompt: given.persona_prompt },
      ];
  }
}
