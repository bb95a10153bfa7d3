/**
 * What left the view, in short. A model reads the messages as they are. Without one the most central sentences would stand
 * for the whole, and in talk those are greetings: so here it is the weightiest statements, of the summary before and of
 * what left, in their order.
 */
import type { Entry } from "../../../../base/entry.ts";
import { extractFacts } from "../../../../tasks/extract-facts.ts";
import { runTask } from "../../../../tasks/run-task.ts";
import { scoreImportance } from "../../../../tasks/score-importance.ts";
import { splitSentences } from "../../../../text/sentences.ts";
import { tokenize } from "../../../../text/tokenize.ts";
import { summaryOf, thinkingOf } from "../../derived.ts";
import type { TriggerContext } from "../../trigger.ts";
import { asLine } from "./message.ts";
import type { PressureOptions } from "./options.ts";

export async function inShort(
  context: TriggerContext,
  leaving: readonly Entry[],
  previous: string,
  options: PressureOptions,
): Promise<string> {
  const { summary_max_words: maxWords, summary_batch: atOnce, summarize_prompt: prompt } = options;
  const texts = leaving.map(({ content }) => content);
  if (context.deps.thinking.model === undefined) {
    const weighty = await weightyStatements(context, leaving, previous, maxWords);
    if (weighty !== "") return weighty;
  }
  return summaryOf(context, { texts, previous, maxWords, atOnce, prompt });
}

async function weightyStatements(
  context: TriggerContext,
  leaving: readonly Entry[],
  previous: string,
  maxWords: number,
): Promise<string> {
  const thinking = thinkingOf(context);
  const { reply } = await runTask(extractFacts, { lines: leaving.map(asLine) }, thinking);
  const statements = [...splitSentences(previous), ...reply.facts].map(({ text }) => text);
  const weighed: { readonly text: string; readonly weight: number; readonly words: number }[] = [];
  for (const text of new Set(statements)) {
    const score = await runTask(scoreImportance, { text }, thinking);
    weighed.push({ text, weight: score.reply.importance, words: tokenize(text).length });
  }
  let room = maxWords;
  const chosen = new Set(
    weighed
      .toSorted((a, b) => b.weight - a.weight)
      .filter(({ words }) => {
        const fits = words <= room;
        if (fits) room -= words;
        return fits;
      }),
  );
  return weighed
    .filter((one) => chosen.has(one))
    .map(({ text }) => text)
    .join(" ");
}
