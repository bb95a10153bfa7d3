/** The answer from memory and nothing else, with what it rests on. */

import { askOperation } from "../../operations/rows/ask.ts";
import { turnSources } from "../../runtime/turn-sources.ts";
import { openCatchUp } from "../catch-up.ts";
import type { Given } from "../command.ts";
import { inputText } from "../input-text.ts";
import { sayConfidence, sayHit, sayStages } from "../memory-text.ts";
import { noteWaiting } from "../note-waiting.ts";
import { recallGiven } from "../recall-given.ts";
import type { Terminal } from "../terminal.ts";
import { stoppable } from "../underway.ts";
import { withMemory } from "../with-memory.ts";

export const QUOTED = {
  en: "(quoted from memory: there is no model to put it in words)",
  zh: "（引自记忆：没有模型来组织语言）",
};
export const QUOTED_INSTEAD = {
  en: "(quoted from memory: the model gave no answer that could be used)",
  zh: "（引自记忆：模型没有给出可用的回答）",
};

const NEAREST = {
  en: 'Nearest in memory, but not surely the answer; "neuromem recall" shows more, and a model (--model) could tell:',
  zh: "记忆中最接近的内容，但未必是答案；“neuromem recall” 可查看更多，配置模型（--model）后可由模型判断：",
};

export async function askQuestion(given: Given, terminal: Terminal): Promise<number> {
  const options = recallGiven(given);
  const question = await inputText(given, "QUESTION", terminal);
  const { onWindow, takeUp } = openCatchUp(terminal);
  const opening = { isNew: false, isQuiet: true, onWindow };
  return withMemory(given, terminal, opening, async ({ memory, storage, model }) => {
    await takeUp(memory);
    const input = { question, ...options };
    const answered = await stoppable((signal) => askOperation.run(memory, input, { signal }));
    const { recalled, ...rest } = answered;
    const { answer, reasoning, isUnknown, evidence, path } = rest;
    const sources = await turnSources(storage, memory.scope, evidence);
    terminal.give({
      ...{ question, preset: memory.preset, model: model?.id ?? null, ...rest },
      evidence: evidence.map((hit, place) => ({ ...hit, turns: sources[place] })),
      ...{ confidence: recalled.confidence, isDoubtful: recalled.isDoubtful },
      stages: recalled.stages,
    });
    const { say, paint, text } = terminal;
    say(paint("bold", answer));
    if (path === "local" && !isUnknown)
      say(paint("dim", text(model === undefined ? QUOTED : QUOTED_INSTEAD)));
    if (reasoning !== "") say(paint("dim", reasoning));
    const [nearest] = recalled.hits;
    if (path === "local" && isUnknown && model === undefined && nearest !== undefined) {
      say(paint("dim", text(NEAREST)));
      sayHit(nearest, undefined, terminal);
    }
    if (evidence.length > 0) say();
    const isExplained = given.isSet("explain");
    evidence.forEach((hit, place) => {
      sayHit(hit, isExplained ? sources[place] : undefined, terminal);
    });
    if (isExplained) {
      sayStages(recalled.stages, terminal);
      sayConfidence(recalled, terminal);
    }
    await noteWaiting(memory, terminal);
    return 0;
  });
}
