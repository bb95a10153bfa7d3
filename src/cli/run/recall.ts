/** What does the memory know about it, and why does it think so? */
import { MemoryError } from "../../base/errors.ts";
import type { Turn } from "../../base/turn.ts";
import type { FoundHit } from "../../pipeline/question.ts";
import type { StageRecord } from "../../pipeline/record.ts";
import { waitingTurns } from "../../runtime/derive.ts";
import type { Given } from "../command.ts";
import { readMoment } from "../conversation/moment.ts";
import { openMemory } from "../open-memory.ts";
import type { Terminal } from "../terminal.ts";
import { turnSources } from "../turn-sources.ts";

const MOST_PARTS = 6;
const MOST_SOURCES = 3;

export async function recallQuestion(given: Given, terminal: Terminal): Promise<number> {
  const topK = numberOf(given.text("limit"));
  const at = momentOf(given.text("at"));
  const text = given.argument("QUESTION");
  const open = await openMemory(given, terminal, { isNew: false });
  try {
    const { memory, storage, scope } = open;
    const { hits, context, stages } = await memory.retrieve(scope, { text, topK, at });
    const isExplained = given.isSet("explain");
    const sources = await turnSources(storage, scope, memory.service.collection, hits);
    terminal.give({
      ...{ question: text, preset: memory.preset.name, model: open.model, context, stages },
      hits: hits.map((hit, place) => ({ ...hit, turns: sources[place] })),
    });
    if (given.isSet("context")) terminal.say(context ?? hits.map((hit) => hit.text).join("\n"));
    else {
      hits.forEach((hit, place) => {
        sayHit(hit, isExplained ? sources[place] : undefined, terminal);
      });
      if (hits.length === 0) sayNothing(context, terminal);
    }
    if (isExplained) sayStages(stages, terminal);
    const waiting = await waitingTurns(memory, storage, scope);
    if (waiting > 0) terminal.note(waitingText(waiting, memory.preset.name, terminal));
    return 0;
  } finally {
    await open.close();
  }
}

function sayHit(hit: FoundHit, sources: readonly Turn[] | undefined, { say, paint }: Terminal): void {
  const day = new Date(hit.happenedAt).toISOString().slice(0, 10);
  say(`${paint("green", hit.score.toPrecision(3))}  ${hit.text}  ${paint("dim", `(${day})`)}`);
  if (sources === undefined) return;
  const parts = Object.entries(hit.scoreParts)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_PARTS)
    .map(([name, value]) => `${name} ${value.toPrecision(3)}`);
  if (parts.length > 0) say(paint("dim", `        ${parts.join(", ")}`));
  for (const turn of sources.slice(0, MOST_SOURCES)) {
    const day = new Date(turn.happenedAt).toISOString().slice(0, 10);
    say(paint("dim", `        ← ${day} ${turn.speaker}: ${turn.text}`));
  }
  if (sources.length > MOST_SOURCES) say(paint("dim", `        ← +${sources.length - MOST_SOURCES}`));
}

/** A design may have found nothing and yet have something to say: a profile, what was said last. */
function sayNothing(context: string | null, { say, text }: Terminal): void {
  say(text({ en: "(nothing found)", zh: "（没有找到）" }));
  if (context !== null && context.trim() !== "") say(`\n${context}`);
}

function sayStages(stages: readonly StageRecord[], { say, paint }: Terminal): void {
  say();
  for (const { stage, action, ms, given, result, notes } of stages) {
    const told = Object.keys(notes).length === 0 ? "" : ` ${JSON.stringify(notes)}`;
    say(paint("dim", `${stage} ${action}: ${given} → ${result}, ${ms.toFixed(1)} ms${told}`));
  }
}

function waitingText(waiting: number, preset: string, { text }: Terminal): string {
  return text({
    en: `${waiting} turns are not taken up by ${preset} yet: neuromem import … --finish, or neuromem rebuild.`,
    zh: `还有 ${waiting} 轮未被 ${preset} 处理：neuromem import … --finish，或 neuromem rebuild。`,
  });
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new MemoryError("option_invalid", `--limit is "${text}". Valid: a whole number from 1 on.`);
}

function momentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = readMoment(text);
  if (moment !== undefined) return moment;
  throw new MemoryError(
    "option_invalid",
    `--at is "${text}". Valid: a date as 2023-05-08 or 2023-05-08 13:56.`,
  );
}
