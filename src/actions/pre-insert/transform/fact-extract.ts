/**
 * Keeps the facts instead of the talk (S0-27; Mem0, LoCoMo, TiM): one entry per fact, whose sources are the turns that
 * told it. Talk that tells nothing leaves no entry; it stays in the journal.
 */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { extractFacts } from "../../../tasks/extract-facts.ts";
import { tripleText } from "../../../text/triple-text.ts";
import { findTriples } from "../../../text/triples.ts";
import { linesOf, originOf } from "../lines-of.ts";
import { promptOption } from "../prompt-option.ts";
import { recast } from "../recast.ts";

export const factExtractOptions = z.strictObject({
  transform_type: z.literal("fact_extract").describe("Keeps the facts instead of the talk."),
  fact_prompt: promptOption("the facts of a dialogue"),
  fact_format: z
    .enum(["statement", "thought", "triple", "json"])
    .describe(
      "How a fact is written: as a sentence; as a sentence with the triples that it states beside it (TiM); as the triples it states, one entry each (a fact that states none stays a sentence); or as a JSON object with fact, speaker and time, embedded by its sentence.",
    ),
});
type Options = z.infer<typeof factExtractOptions>;

export async function factExtract(
  drafts: readonly Draft[],
  context: PreInsertContext,
  { fact_prompt, fact_format }: Options,
): Promise<Draft[]> {
  const out: Draft[] = [];
  for (const draft of drafts) {
    const lines = linesOf(draft);
    const given = { lines: lines.map(({ line }) => line) };
    const { facts } = await context.think(extractFacts, given, fact_prompt);
    for (const { text, speaker, sources } of facts) {
      const told = sources.flatMap((number) => lines[number] ?? []);
      const fact = recast(draft, {
        ...originOf(told.length === 0 ? lines : told),
        content: text,
        kind: "fact",
        metadata: speaker === null ? {} : { speaker },
        insertMethod: "fact_insert",
      });
      out.push(...(await FORMATS[fact_format](fact)));
    }
  }
  context.note("facts", out.length);
  return out;
}

const FORMATS: Readonly<Record<Options["fact_format"], (fact: Draft) => Draft[] | Promise<Draft[]>>> = {
  statement: (fact) => [fact],
  async thought(fact) {
    const triples = await findTriples(fact.content);
    return [
      { ...fact, insertParams: { ...fact.insertParams, triples: triples.map((triple) => ({ ...triple })) } },
    ];
  },
  async triple(fact) {
    const triples = await findTriples(fact.content);
    if (triples.length === 0) return [fact];
    return triples.map((triple) =>
      recast(fact, { content: tripleText(triple), insertParams: { triples: [{ ...triple }] } }),
    );
  },
  json(fact) {
    const { content, metadata = {}, happenedAt } = fact;
    const time = happenedAt === undefined ? null : new Date(happenedAt).toISOString();
    const json = JSON.stringify({ fact: content, speaker: metadata.speaker ?? null, time });
    return [{ ...fact, content: json, embedText: content }];
  },
};
