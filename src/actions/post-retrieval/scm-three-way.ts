/**
 * Drop it, sum it up, or keep it raw? SCM's loop (Wang et al., 2023; papers.md B8): only where the memories are too long,
 * every one but the best is asked whether the question can be answered from it, and if so whether its summary would do;
 * then, from the worst on, what is still raw gives way to its summary. The original goes on for ever where all summaries
 * together are too long; here the worst are dropped then, and what is left of the best is cut, so that it ends and fits.
 * Shown oldest first. What was said just before the question (SCM's flash memory) has its room before all others, and is
 * never one of those that are looked for.
 */
import { z } from "zod";
import { defineAction, type PostRetrievalContext } from "../../pipeline/action.ts";
import { type FoundHit, type Question, toFound } from "../../pipeline/question.ts";
import { canAnswer } from "../../tasks/can-answer.ts";
import { saidIn } from "../../tasks/dialogue.ts";
import { leadingPart } from "../../text/leading-part.ts";
import { countTokens } from "../../text/token-count.ts";
import { oldestFirst, rescored } from "./found-hits.ts";

const options = z.strictObject({
  budget: z.int().min(1).describe("Tokens that there is room for in all."),
  top_k: z
    .int()
    .min(1)
    .nullable()
    .describe("How many hits at most, the best, where the question does not say; null: all."),
  previous_turn: z
    .enum(["talk", "stream"])
    .describe(
      "What was said just before the question: the last line of the talk it comes with, for which room is kept; or the newest memory, which is then shown last and not looked for.",
    ),
  previous_turn_tokens: z
    .int()
    .min(0)
    .describe(
      "How many tokens of it at most: so much room is kept for a line of talk; of a memory that is longer the summary is shown.",
    ),
  judge_prompt: z.string().min(1).describe('The prompt for the task "can_answer".'),
});

type Options = z.infer<typeof options>;

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
  claims: ({ judge_prompt: prompt, previous_turn }) => ({
    prompts: [{ task: canAnswer, prompt }],
    ...(previous_turn === "stream" ? { hints: [{ strategy: "recent", names: [] }] } : {}),
  }),
  async run(found, context, given) {
    const { question } = found;
    const { budget, top_k, judge_prompt } = given;
    const previous = given.previous_turn === "stream" ? await newestOf(question, context, given) : undefined;
    const room = Math.max(0, budget - previousTokens(question, previous, given));
    const most = question.topK ?? top_k ?? found.hits.length;
    // Worst first: the order in which they give way.
    const items = found.hits
      .filter(({ id }) => id !== previous?.id)
      .slice(0, most)
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
    const shown = oldestFirst(kept.map((item) => ({ ...item.hit, text: textOf(item) })));
    return { ...found, hits: previous === undefined ? shown : [...shown, previous] };
  },
});

/** What was stored last, as it is shown; its score says that it was not looked for. */
async function newestOf(
  { filter }: Question,
  { store }: PostRetrievalContext,
  { previous_turn_tokens, budget }: Options,
): Promise<FoundHit | undefined> {
  const [newest] = await store.retrieve({ filter, topK: 1, own: true, hints: { strategy: "recent" } });
  if (newest === undefined) return undefined;
  const hit = rescored(toFound(newest), 0, { previous: 1 });
  const text = countTokens(hit.text) <= previous_turn_tokens ? hit.text : summaryOf(hit);
  return { ...hit, text: leadingPart(text, (part) => countTokens(part) <= budget) };
}

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

function previousTokens(
  { talk }: Question,
  previous: FoundHit | undefined,
  { previous_turn, previous_turn_tokens }: Options,
): number {
  if (previous_turn === "stream") return previous === undefined ? 0 : countTokens(previous.text);
  const last = talk.at(-1);
  return last === undefined ? 0 : Math.min(previous_turn_tokens, countTokens(saidIn(last)));
}
