/**
 * Keeps what the new turns tell, read as part of a talk that goes on (S0-27; Mem0, arXiv 2504.19413): the turns before,
 * a running summary and the memories near to what is said are shown beside them. One entry per fact, whose sources are the
 * turns that told it. What a memory that was shown says word for word, or a fact before it, is not stored again (Mem0's
 * third version compares hashes).
 */
import { z } from "zod";
import type { Turn } from "../../../base/turn.ts";
import type { Claims, PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { type Line, saidIn } from "../../../tasks/dialogue.ts";
import { extractNewFacts } from "../../../tasks/extract-new-facts.ts";
import { plainText } from "../../../tasks/rules/statement.ts";
import { summarize } from "../../../tasks/summarize.ts";
import { linesOf, originOf } from "../lines-of.ts";
import { promptOption } from "../prompt-option.ts";
import { recast } from "../recast.ts";
import { runningSummaryOptions, summaryBefore } from "../running-summary.ts";

export const newFactExtractOptions = z.strictObject({
  transform_type: z
    .literal("new_fact_extract")
    .describe("Keeps the facts that the new turns tell, read with what went before."),
  fact_prompt: promptOption("the new facts of a dialogue"),
  earlier_chars: z
    .int()
    .min(1)
    .nullable()
    .describe("A turn before is shown up to so many characters; null: whole."),
  known_memories: z
    .int()
    .min(0)
    .describe("How many memories near to what is said are shown, so that none is told twice; 0: none."),
  summary: runningSummaryOptions
    .nullable()
    .describe("How the talk so far is kept in short and shown; null: it is not."),
});
type Options = z.infer<typeof newFactExtractOptions>;

export function newFactClaims({ fact_prompt, known_memories, summary }: Options): Claims {
  const prompts = [{ task: extractNewFacts, prompt: fact_prompt }];
  return {
    ...(known_memories > 0 ? { embedder: true, abilities: ["vector"] } : {}),
    hints: [
      ...(known_memories > 0 ? [{ strategy: "semantic" as const, names: [] }] : []),
      ...(summary === null ? [] : [{ strategy: "structured" as const, names: [] }]),
    ],
    insertMethods: summary === null ? ["fact_insert"] : ["fact_insert", "default"],
    prompts: summary === null ? prompts : [...prompts, { task: summarize, prompt: summary.prompt }],
  };
}

export async function newFactExtract(
  given: { readonly drafts: readonly Draft[]; readonly before: readonly Turn[] },
  context: PreInsertContext,
  { fact_prompt, earlier_chars, known_memories, summary }: Options,
): Promise<Draft[]> {
  const { drafts, before } = given;
  const story = summary === null ? undefined : await summaryBefore(before, context, summary);
  const earlier = before.map((turn) => shortened(turn, earlier_chars));
  const out: Draft[] = [];
  let repeated = 0;
  for (const draft of drafts) {
    const lines = linesOf(draft);
    const known = await memoriesNear(draft, context, known_memories);
    const asked = { lines: lines.map(({ line }) => line), earlier, known, summary: story?.text };
    const { facts } = await context.think(extractNewFacts, asked, fact_prompt);
    const said = new Set([...known, ...out.map(({ content }) => content)].map(plainText));
    for (const { text, speaker, sources } of facts) {
      const plain = plainText(text);
      if (said.has(plain)) {
        repeated++;
        continue;
      }
      said.add(plain);
      const told = sources.flatMap((number) => lines[number] ?? []);
      const changes = { kind: "fact", insertMethod: "fact_insert", content: text };
      const origin = originOf(told.length === 0 ? lines : told);
      out.push(recast(draft, { ...origin, ...changes, metadata: speaker === null ? {} : { speaker } }));
    }
  }
  context.note("facts", out.length);
  if (repeated > 0) context.note("known_already", repeated);
  if (story?.draft === undefined) return out;
  context.note("summarised_turns", story.draft.turns.length);
  return [story.draft, ...out];
}

async function memoriesNear(
  { content }: Draft,
  { store, embed }: PreInsertContext,
  count: number,
): Promise<string[]> {
  if (count === 0) return [];
  const [vector] = await embed([content]);
  if (vector === undefined) return [];
  const hints = { strategy: "semantic" } as const;
  const near = await store.retrieve({ vectors: [vector], topK: count, own: true, hints });
  return near.map((hit) => hit.content);
}

function shortened(turn: Turn, limit: number | null): Line {
  const said = saidIn(turn);
  if (limit === null || said.length <= limit) return turn;
  return { ...turn, text: `${said.slice(0, limit).toWellFormed()}…`, captions: [] };
}
