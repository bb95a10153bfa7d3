/**
 * The talk so far in short, for whoever reads what comes next (Mem0). It is a memory of the kind "summary" that no search
 * by meaning, words or links finds: it is read, never recalled. The next one takes up the one before and what has been said
 * since; the post_insert action that decides about memories takes the old one out.
 */
import { z } from "zod";
import { where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import type { Turn } from "../../base/turn.ts";
import type { PreInsertContext, ReadHandle } from "../../pipeline/action.ts";
import { type Draft, textOf } from "../../pipeline/draft.ts";
import { summarize } from "../../tasks/summarize.ts";
import { promptOption } from "./prompt-option.ts";

export const runningSummaryOptions = z.strictObject({
  every_turns: z
    .int()
    .min(1)
    .describe(
      "It is made anew when so many turns have come since; no more than the window shows as context, or it never is.",
    ),
  prompt: promptOption("a summary"),
  max_words: z.int().min(1).describe("Its most words."),
});
type Options = z.infer<typeof runningSummaryOptions>;

/** Marks it in the metadata: other summaries are none of the talk as a whole. */
export const RUNNING = "running_summary";
export const isRunningSummary = where.eq(`metadata.${RUNNING}`, true);

export interface RunningSummary {
  readonly text: string;
  /** To be stored, where it was made anew. */
  readonly draft: Draft | undefined;
}

export async function summaryBefore(
  before: readonly Turn[],
  { store, think }: Pick<PreInsertContext, "store" | "think">,
  { every_turns, prompt, max_words }: Options,
): Promise<RunningSummary> {
  const known = await newestSummary(store);
  const taken = new Set(known?.sources ?? []);
  const since = before.filter(({ id }) => !taken.has(id));
  const text = known?.content ?? "";
  const last = since.at(-1);
  if (last === undefined || since.length < every_turns) return { text, draft: undefined };
  const given = { texts: [since.map((turn) => textOf(turn, true)).join("\n")], previous: text, max_words };
  const { summary } = await think(summarize, given, prompt);
  const draft: Draft = {
    content: summary,
    kind: "summary",
    happenedAt: last.happenedAt,
    sources: [...(known === undefined ? [] : [known.id]), ...since.map(({ id }) => id)],
    metadata: { [RUNNING]: true },
    vectors: [],
    insertMethod: "default",
    insertMode: "active",
    insertParams: { targetIndexes: [] },
    turns: since,
  };
  return { text: summary, draft };
}

export async function newestSummary(store: ReadHandle): Promise<Hit | undefined> {
  const [newest] = await store.retrieve({
    filter: isRunningSummary,
    topK: 1,
    own: true,
    hints: { strategy: "structured" },
  });
  return newest;
}
