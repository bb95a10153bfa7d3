/**
 * Drop it, sum it up, or keep it raw? SCM's loop (Wang et al., 2023; papers.md B8): only where the memories are too long,
 * every one but the best is asked whether the question can be answered from it, and if so whether its summary would do;
 * then, from the worst on, what is still raw gives way to its summary. The original goes on for ever where all summaries
 * together are too long; here the worst are dropped then, and what is left of the best is cut, so that it ends and fits.
 * Shown oldest first.
 */
import { z } from "zod";
import { defineAction, type PostRetrievalContext } from "../../pipeline/action.ts";
import type { FoundHit, Question } from "../../pipeline/question.ts";
import { canAnswer } from "../../tasks/can-answer.ts";
import { saidIn } from "../../tasks/dialogue.ts";
import { leadingPart } from "../../text/leading-part.ts";
import { countTokens } from "../../text/token-count.ts";
import { oldestFirst } from "./found-hits.ts";

const options = z.strictObject({
  budget: z.int().min(1).describe("Tokens that there is room for in all."),
  previous_turn_tokens: z
    .int()
    .min(0)
    .describe(
      "How many tokens at most are kept free of the budget for what was said just before the question.",
    ),
  judge_prompt: z.string().min(1).describe('The prompt for the task "can_answer".'),
});

type Choice = "drop" | "summary" | "raw" | "cut";

interface Item {
  readonly hit: FoundHit;
  readonly summary: string;
  choice: Choice;
  /** What is left of it, where it was cut. */
  rest?: string;
}

export const scmThreeWay = defineAction({
  stage: "post_retrieval",
  name: "scm_three_way",
  summary: "Drops, sums up or keeps each hit until all fit, oldest first (SCM).",
  options,
  claims: ({ judge_prompt: prompt }) => ({ prompts: [{ task: canAnswer, prompt }] }),
  async run(found, context, { budget, previous_turn_tokens, judge_prompt }) {
    const { question } = found;
    const room = Math.max(0, budget - Math.min(previous_turn_tokens, previousTokens(question)));
    // Worst first: the order in which they give way.
    const items = [...found.hits]
      .reverse()
      .map((hit): Item => ({ hit, summary: summaryOf(hit), choice: "raw" }));
    if (tokensOf(items) > room) {
      const judged = items.slice(0, -1);
      const choices = await Promise.all(
        judged.map((item) => judge(item, question.text, context, judge_prompt)),
      );
      for (const [place, item] of judged.entries()) item.choice = choices[place] ?? "raw";
      giveWay(items, room);
    }
    context.note("tokens", tokensOf(items));
    context.note("choices", Object.fromEntries(items.map(({ hit, choice }) => [hit.id, choice])));
    const kept = items.filter(({ choice }) => choice !== "drop");
    return { ...found, hits: oldestFirst(kept.map((item) => ({ ...item.hit, text: textOf(item) }))) };
  },
});

async function judge(
  { hit, summary }: Item,
  question: string,
  { think }: PostRetrievalContext,
  prompt: string,
): Promise<Choice> {
  const { happenedAt } = hit;
  const raw = await think(canAnswer, { question, text: hit.text, happenedAt }, prompt);
  if (!raw.can_answer) return "drop";
  if (summary === hit.text) return "raw";
  const short = await think(canAnswer, { question, text: summary, happenedAt }, prompt);
  return short.can_answer ? "summary" : "raw";
}

/** Raw texts give way to summaries, and then summaries to nothing; the best hit is not dropped but cut. */
function giveWay(items: readonly Item[], room: number): void {
  for (const item of items) {
    if (tokensOf(items) <= room) return;
    if (item.choice === "raw") item.choice = "summary";
  }
  for (const item of items.slice(0, -1)) {
    if (tokensOf(items) <= room) return;
    item.choice = "drop";
  }
  const best = items.at(-1);
  if (best === undefined || tokensOf(items) <= room) return;
  best.rest = leadingPart(textOf(best), (part) => countTokens(part) <= room);
  best.choice = best.rest === "" ? "drop" : "cut";
}

function textOf({ hit, summary, choice, rest = "" }: Item): string {
  return { drop: "", cut: rest, summary, raw: hit.text }[choice];
}

function tokensOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + countTokens(textOf(item)), 0);
}

/** As it was stored with the memory; one without a summary, or with one that is no shorter, stands for itself. */
function summaryOf({ metadata, text }: FoundHit): string {
  const { summary } = metadata;
  if (typeof summary !== "string" || summary.trim() === "") return text;
  return countTokens(summary) < countTokens(text) ? summary : text;
}

function previousTokens({ talk }: Question): number {
  const last = talk.at(-1);
  return last === undefined ? 0 : countTokens(saidIn(last));
}
