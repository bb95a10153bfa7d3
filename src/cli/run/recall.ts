/** What does the memory know about it, and why does it think so? */
import { recallOperation } from "../../operations/rows/recall.ts";
import { openCatchUp } from "../catch-up.ts";
import type { Given } from "../command.ts";
import { inputText } from "../input-text.ts";
import { sayConfidence, sayHit, sayStages } from "../memory-text.ts";
import { noteWaiting } from "../note-waiting.ts";
import { recallGiven } from "../recall-given.ts";
import type { Terminal } from "../terminal.ts";
import { stoppable } from "../underway.ts";
import { withMemory } from "../with-memory.ts";

export async function recallQuestion(given: Given, terminal: Terminal): Promise<number> {
  const options = recallGiven(given);
  const question = await inputText(given, "QUESTION", terminal);
  const { onWindow, takeUp } = openCatchUp(terminal);
  return withMemory(given, terminal, { isNew: false, onWindow }, async ({ memory, model }) => {
    await takeUp(memory);
    const input = { question, ...options, explain: true };
    const found = await stoppable((signal) => recallOperation.run(memory, input, { signal }));
    // Each hit has its own below.
    const { turns, ...rest } = found;
    const { hits, context, stages } = rest;
    const sources = turns ?? [];
    const isExplained = given.isSet("explain");
    terminal.give({
      ...{ question, preset: memory.preset, model: model?.id ?? null, ...rest },
      hits: hits.map((hit, place) => ({ ...hit, turns: sources[place] })),
    });
    if (given.isSet("context")) terminal.say(context ?? hits.map((hit) => hit.text).join("\n"));
    else {
      hits.forEach((hit, place) => {
        sayHit(hit, isExplained ? sources[place] : undefined, terminal);
      });
      if (hits.length === 0) sayNothing(context, terminal);
    }
    if (isExplained) {
      sayStages(stages, terminal);
      sayConfidence(found, terminal);
    }
    await noteWaiting(memory, terminal);
    return 0;
  });
}

/** A design may have found nothing and yet have something to say: a profile, what was said last. */
function sayNothing(context: string | null, { say, text }: Terminal): void {
  say(text({ en: "(nothing found)", zh: "（没有找到）" }));
  if (context !== null && context.trim() !== "") say(`\n${context}`);
}
