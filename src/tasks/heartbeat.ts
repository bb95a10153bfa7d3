/**
 * A model at work with tools, step by step, until it waits (MemGPT 0.2's heartbeat loop). What it is told after a step
 * goes by this order: a warning that space runs out, once; a failure of what it tried (a call that could not be read
 * counts as one); another step where it asked for one by true, and by nothing else; or nothing, and it waits.
 * What tools give back is data; the rules that say so stand under the instruction (rules_tools.<language>.md). Whoever
 * wrote that data may have talked the model into anything: so there are bounds on steps, on calls in a step and on what
 * comes back from one, and a call can do no more than its tool's strict input lets it.
 */
import { systemClock } from "../base/clock.ts";
import { ERROR_KINDS, MemoryError } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { silent } from "../base/trace.ts";
import { usageOf } from "../models/failure.ts";
import { addUsage } from "../models/middleware.ts";
import { type ChatMessage, type ChatModel, NO_USAGE, type ToolCall, type Usage } from "../models/model.ts";
import { renderPrompt } from "./prompt.ts";
import type { Asker } from "./prompt-library.ts";
import { packagePrompts } from "./prompt-library.ts";
import { isAnsweredHere, type TaskOptions } from "./run-task.ts";
import type { PromptValue } from "./task.ts";
import { languageOf, NONE } from "./task-language.ts";
import { type BoundTool, describeTool, HEARTBEAT } from "./tool.ts";
import { type NEXT_INPUTS, readToolTexts } from "./tool-texts.ts";

export interface Talk {
  /** For traces. */
  readonly name: string;
  /** The instruction and the data, as a prompt file has them. */
  readonly asker: Asker;
  readonly values: Readonly<Record<string, PromptValue>>;
  /** The text whose language is spoken. */
  readonly about: string;
  /** The prompt file that describes the tools. */
  readonly toolsPrompt: string;
  readonly tools: readonly BoundTool[];
  readonly maxSteps: number;
  /** Whether space runs out; the model is told once. */
  readonly isPressed: boolean;
}

export type NextInput = (typeof NEXT_INPUTS)[number] | "wait";

/** One call of a tool, cut short for reading. */
export interface ToolStep {
  readonly tool: string;
  readonly input: string;
  readonly result: string;
  readonly ok: boolean;
}

export interface TalkResult {
  /** local: nobody talked, or could not go on, and `reason` says why; what was done before stays done. */
  readonly path: "model" | "local";
  readonly reason?: string | undefined;
  readonly steps: readonly ToolStep[];
  /** What followed each step. */
  readonly next: readonly NextInput[];
  readonly usage: Usage;
}

export async function runTalk(talk: Talk, options: TaskOptions): Promise<TalkResult> {
  const { model, trace = silent, clock = systemClock } = options;
  const started = clock.now();
  const state: State = { steps: [], next: [], usage: NO_USAGE, messages: [], isWarned: false };
  const finish = (path: TalkResult["path"], reason?: string): TalkResult => {
    const { steps, next, usage } = state;
    trace({ type: "task-run", task: talk.name, path, reason, usage, ms: clock.now() - started });
    return { path, reason, steps, next, usage };
  };
  if (model === undefined) return finish("local", "there is no model");
  try {
    await walk(talk, { ...options, model }, state);
    return isAllInVain(state) ? finish("local", "none of its calls could be carried out") : finish("model");
  } catch (error) {
    if (!MemoryError.is(error) || !isAnsweredHere(error, options)) throw error;
    const message = `The talk ${talk.name} ended before its time. ${error.message}`;
    trace({ type: "warning-raise", code: error.code, message });
    return finish("local", error.message);
  }
}

/** It tried until its steps were used up, and nothing came of it. */
function isAllInVain({ steps, next }: State): boolean {
  return next.at(-1) !== "wait" && steps.length > 0 && steps.every(({ ok }) => !ok);
}

interface State {
  readonly steps: ToolStep[];
  readonly next: NextInput[];
  readonly messages: ChatMessage[];
  usage: Usage;
  isWarned: boolean;
}

async function walk(
  talk: Talk,
  options: TaskOptions & { readonly model: ChatModel },
  state: State,
): Promise<void> {
  const { model, settings, signal, scope, prompts = packagePrompts } = options;
  const language = options.language ?? languageOf(talk.about);
  const prompt = renderPrompt(await prompts.get(talk.asker, language), talk.values, NONE[language]);
  const texts = await readToolTexts(talk.toolsPrompt, language, prompts);
  const tools = talk.tools.map((tool) => describeTool(tool, texts));
  state.messages.push({ role: "system", text: prompt.system }, { role: "user", text: prompt.user });
  for (let step = 0; step < talk.maxSteps; step++) {
    const done = await readable(() =>
      model.generate({ ...settings, messages: state.messages, tools }, { signal, scope, task: talk.name }),
    );
    state.usage = addUsage(state.usage, done.reply?.usage ?? done.usage ?? NO_USAGE);
    if (done.problem === undefined) {
      const { text, toolCalls } = done.reply;
      state.messages.push({ role: "assistant", text, toolCalls });
    } else state.steps.push({ tool: "?", input: "", result: short(done.problem), ok: false });
    const { failed, goesOn } = await useTools(talk.tools, done.reply?.toolCalls ?? [], state);
    const next = nextInput(talk, state, failed || done.problem !== undefined, goesOn);
    state.next.push(next);
    if (next === "wait") return;
    const why = done.problem === undefined ? "" : ` (${done.problem})`;
    state.messages.push({ role: "user", text: `${texts(next)}${why}` });
  }
}

/** A call that cannot be read is no end of the talk: the model is told and may try again. */
async function readable<Reply>(
  ask: () => Promise<Reply>,
): Promise<
  | { readonly reply: Reply; readonly problem?: undefined; readonly usage?: undefined }
  | { readonly reply?: undefined; readonly problem: string; readonly usage: Usage | undefined }
> {
  try {
    return { reply: await ask() };
  } catch (error) {
    if (!MemoryError.is(error) || error.code !== "reply_invalid") throw error;
    return { problem: error.message, usage: usageOf(error) };
  }
}

function nextInput(talk: Talk, state: State, failed: boolean, goesOn: boolean): NextInput {
  if (talk.isPressed && !state.isWarned) {
    state.isWarned = true;
    return "token_warning";
  }
  if (failed) return "failed";
  return goesOn ? "heartbeat" : "wait";
}

async function useTools(
  tools: readonly BoundTool[],
  calls: readonly ToolCall[],
  { steps, messages }: State,
): Promise<{ readonly failed: boolean; readonly goesOn: boolean }> {
  let [failed, goesOn] = [false, false];
  for (const [place, { id, name, input }] of calls.entries()) {
    const { [HEARTBEAT]: wish, ...given } = input;
    const tool = tools.find((one) => one.name === name);
    const { ok, result } = place < MOST_CALLS ? await outcomeOf(tool, name, given) : TOO_MANY;
    failed ||= !ok;
    goesOn ||= tool?.canGoOn === true && wish === true;
    steps.push({ tool: name, input: short(JSON.stringify(given)), result: short(printed(result)), ok });
    messages.push({ role: "tool", id, name, text: JSON.stringify({ ok, result: clipped(result) }) });
  }
  return { failed, goesOn };
}

async function outcomeOf(
  tool: BoundTool | undefined,
  name: string,
  given: JsonObject,
): Promise<{ readonly ok: boolean; readonly result: Json }> {
  if (tool === undefined) return { ok: false, result: `There is no tool "${name}".` };
  try {
    return { ok: true, result: await tool.run(given) };
  } catch (error) {
    if (!MemoryError.is(error) || !ASKERS_FAULT.includes(ERROR_KINDS[error.code].exit)) throw error;
    return { ok: false, result: error.message };
  }
}

/** Wrong input, something that is not there, something in the way: what whoever called can put right. */
const ASKERS_FAULT: readonly number[] = [2, 4, 5];

/** In one step; those beyond it are answered, but not carried out. */
const MOST_CALLS = 16;
const TOO_MANY = {
  ok: false,
  result: `Not carried out. Valid: at most ${MOST_CALLS} calls at once.`,
} as const;

/** Characters of one result (MemGPT 0.6.5 clips what a function returns there). */
const MOST_RETURNED = 6000;

function clipped(result: Json): Json {
  const text = printed(result);
  return text.length <= MOST_RETURNED ? result : `${leadingText(text, MOST_RETURNED)}…`;
}

/** Not through the middle of a character. */
function leadingText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/u, "");
}

const MOST_SHOWN = 200;

function printed(result: Json): string {
  return typeof result === "string" ? result : JSON.stringify(result);
}

function short(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${leadingText(text, MOST_SHOWN)}…`;
}
