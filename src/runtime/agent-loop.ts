/**
 * How does an agent use a memory? One exchange after another (S4-20 … S4-22): recall for what the user says, put it as a
 * block of its own between the agent's prompt and the conversation, let the model answer as a stream, then record both sides.
 * The block is part of one request and of nothing else: neither the prompt nor the history ever holds it (C-36).
 *
 *     const loop = createAgentLoop({ memory, model, system: "You are a helpful assistant.", session: "monday" });
 *     const { answer } = await loop.say("Where did I move?", { onText: (piece) => process.stdout.write(piece) });
 *
 * Without a model it answers by quoting the memory; such an answer is no news and is not recorded. Without a memory it is a
 * plain conversation. A memory that fails costs the answer its memories, never the answer.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import type { TurnId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { ChatMessage, ChatModel } from "../models/model.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import type { Line } from "../tasks/dialogue.ts";
import { asks } from "../text/asks.ts";
import type { Context } from "./context.ts";
import type { Memory } from "./memory.ts";
import type { Recorded } from "./record.ts";
import type { RememberOptions } from "./remember.ts";

export interface AgentLoopOptions {
  /** Undefined: without a memory (S4-22). */
  readonly memory?: Memory | undefined;
  /** Undefined: memory is asked, and quoted where it has no model of its own. */
  readonly model?: ChatModel | undefined;
  /** What the model is told before everything else; never changed. */
  readonly system: string;
  /** The conversation's name in the journal. */
  readonly session: string;
  /** Exchanges before this one that the model is shown; 0: none. @default 20 */
  readonly shown?: number | undefined;
  /** As for `remember`: "memory" makes the next question find what was said, at the cost of waiting for it. */
  readonly wait?: RememberOptions["wait"];
  /** Told of what the memory could not do. @default nobody */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

export interface SayOptions {
  /** Called with each piece of the answer as it arrives. */
  readonly onText?: ((piece: string) => void) | undefined;
  /** Stops the answer; what was said of it until then is the answer. */
  readonly signal?: AbortSignal | undefined;
}

export interface Said {
  readonly answer: string;
  /** Who answered: a model, or the memory by quoting; nobody: there is neither. */
  readonly path: "model" | "local" | "nobody";
  readonly isStopped: boolean;
  /** Whether there was only the memory to answer, and it knows nothing of it, or nothing was asked. */
  readonly isUnknown: boolean;
  /** What the model was given; null: no memory, or it was quoted. */
  readonly context: Context | null;
  /** What was found for it, and why; null: without a memory. */
  readonly recalled: RetrieveResult | null;
  /** What was written down of it; null: nothing. */
  readonly recorded: Recorded | null;
}

export interface AgentLoop {
  /** While it is true nothing is recorded; what is known is still recalled. What was said meanwhile is gone when it ends. */
  isIncognito: boolean;
  /** What was said so far, as the model is shown it: no memory block among it. */
  readonly history: readonly ChatMessage[];
  /** What was written down of the last exchange, also if nobody answered; null: nothing. */
  readonly lastRecorded: Recorded | null;
  /**
   * Takes the last exchange, all of them, or those of which these turns were recorded out of what the model is shown; what
   * was recorded is the memory's to forget.
   */
  forget(what: "last" | "all" | readonly TurnId[]): void;
  /** One exchange at a time. */
  say(text: string, options?: SayOptions): Promise<Said>;
}

const object = z.custom<object>((value) => typeof value === "object" && value !== null, "must be an object");

const optionsSchema = z.strictObject({
  memory: object.optional(),
  model: object.optional(),
  system: z.string(),
  session: z.string().max(256),
  shown: z.int().min(0).optional(),
  wait: z.enum(["journal", "memory"]).optional(),
  onTrouble: z.custom<() => void>((value) => typeof value === "function").optional(),
});

/** A secret one was made while nothing is recorded; of one that nobody answered the model is shown nothing. */
interface Exchanged {
  readonly isSecret: boolean;
  readonly messages: readonly ChatMessage[];
  readonly turns: readonly TurnId[];
}

export function createAgentLoop(options: AgentLoopOptions): AgentLoop {
  parseInput(optionsSchema, options, "options of createAgentLoop");
  let exchanges: readonly Exchanged[] = [];
  let lastRecorded: Recorded | null = null;
  let isIncognito = false;
  const loop: AgentLoop = {
    get isIncognito() {
      return isIncognito;
    },
    set isIncognito(isOn) {
      isIncognito = isOn;
      // An answer that is recorded must not be able to repeat what was not.
      if (!isOn) exchanges = exchanges.filter(({ isSecret }) => !isSecret);
    },
    get history() {
      return messagesOf(exchanges);
    },
    get lastRecorded() {
      return lastRecorded;
    },
    forget(what) {
      if (what === "all") exchanges = [];
      else if (what === "last") exchanges = exchanges.slice(0, -1);
      else exchanges = exchanges.filter(({ turns }) => !turns.some((turn) => what.includes(turn)));
      if (typeof what === "string" || lastRecorded?.turns.some((turn) => what.includes(turn)) === true)
        lastRecorded = null;
    },
    async say(text, given = {}) {
      const { model } = options;
      // What was said in secret stays so, though the secret may end before its answer does.
      const isSecret = isIncognito;
      const end = async (said: Answered | undefined, messages: readonly ChatMessage[]): Promise<void> => {
        const isKept = !isSecret && !isIncognito;
        lastRecorded = isKept ? await keep(options, text, said) : null;
        const turns = lastRecorded?.turns ?? [];
        if (isKept || isIncognito) exchanges = [...exchanges, { isSecret: !isKept, messages, turns }];
      };
      const answered =
        model === undefined ? quote(options, text, given) : generate(options, model, exchanges, text, given);
      const said = await answered.catch(async (error: unknown) => {
        // What the user said was said, whoever did not answer.
        await end(undefined, []);
        throw error;
      });
      const isNews = said.path === "model" && said.answer !== "";
      const user: ChatMessage = { role: "user", text };
      const assistant: ChatMessage = { role: "assistant", text: said.answer };
      await end(isNews ? said : undefined, said.answer === "" ? [user] : [user, assistant]);
      return { ...said, recorded: lastRecorded };
    },
  };
  return loop;
}

type Answered = Omit<Said, "recorded">;

const SHOWN = 20;
/** So much of the talk helps to understand the next question. */
const TALK = 4;

async function generate(
  options: AgentLoopOptions,
  model: ChatModel,
  exchanges: readonly Exchanged[],
  text: string,
  { onText, signal }: SayOptions,
): Promise<Answered> {
  const { memory, system, session, shown = SHOWN } = options;
  const talk = linesOf(messagesOf(exchanges).slice(-TALK));
  const context = await orTrouble(options, () => memory?.context(text, { session, talk, signal }));
  const block = context?.text ?? "";
  const answered = exchanges.filter(({ messages: said }) => said.length > 0);
  const messages: readonly ChatMessage[] = [
    // One message, as some servers take no second one; the block is a part of its own behind the prompt (S4-21).
    { role: "system", text: block === "" ? system : `${system}\n\n${block}` },
    ...messagesOf(shown === 0 ? [] : answered.slice(-shown)),
    { role: "user", text },
  ];
  let answer = "";
  let isStopped = false;
  const listen = (piece: string): void => {
    answer += piece;
    onText?.(piece);
  };
  try {
    const scope = memory?.scope;
    answer = (await model.generate({ messages }, { onText: listen, signal, scope, task: "chat" })).text;
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    isStopped = true;
  }
  return {
    answer,
    path: "model",
    isStopped,
    isUnknown: false,
    context: context ?? null,
    recalled: context?.recalled ?? null,
  };
}

/** Nobody here can put it in words, so the memory's own words are the answer. */
async function quote(
  options: AgentLoopOptions,
  text: string,
  { onText, signal }: SayOptions,
): Promise<Answered> {
  const { memory } = options;
  const nothing = { isStopped: false, isUnknown: false, context: null, recalled: null };
  if (memory === undefined) return { answer: "", path: "nobody", ...nothing };
  // What is told is for the memory to keep; a quote would be no answer to it.
  if (!asks(text)) return { ...nothing, answer: "", path: "local", isUnknown: true };
  try {
    const { answer, path, isUnknown, recalled } = await memory.ask(text, { signal });
    onText?.(answer);
    return { ...nothing, answer, path, isUnknown, recalled };
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    return { ...nothing, answer: "", path: "local", isStopped: true };
  }
}

async function keep(
  options: AgentLoopOptions,
  user: string,
  said: Answered | undefined,
): Promise<Recorded | null> {
  const { memory, session, wait } = options;
  const recalled = said?.recalled?.hits ?? [];
  const exchange =
    said === undefined ? { user, session } : { user, assistant: said.answer, session, recalled };
  return (await orTrouble(options, () => memory?.record(exchange, { wait }))) ?? null;
}

/** A memory that fails is told about, and the conversation goes on. */
async function orTrouble<T>(
  { onTrouble }: AgentLoopOptions,
  run: () => Promise<T> | undefined,
): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (MemoryError.is(error) && error.code === "aborted") return undefined;
    onTrouble?.(error);
    return undefined;
  }
}

function messagesOf(exchanges: readonly Exchanged[]): ChatMessage[] {
  return exchanges.flatMap(({ messages }) => messages);
}

function linesOf(history: readonly ChatMessage[]): Line[] {
  return history.map(({ role, text }) => ({ speaker: role, text, captions: [] }));
}
