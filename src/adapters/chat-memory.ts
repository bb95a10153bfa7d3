/**
 * What does a chat need of a memory? The block to put into a prompt before, and a place to keep what was said after. A
 * `Memory` has both, and so does the client of one that runs elsewhere. Here, once for all frameworks: a memory that fails
 * or takes too long never stops the chat. What failed is told, to `onError` at once and in the warnings of the next reply.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import { storableText } from "../base/text-input.ts";
import { shortenedQuestion } from "../text/long-question.ts";
import { cutRecalled } from "../text/recalled-marks.ts";
import { hasVerbs } from "./has-verbs.ts";
import { orAfter, within } from "./patience.ts";

/** What was recalled, as far as it matters here; a hit fits as it is. */
export interface RecalledHit {
  readonly id: string;
  readonly content: string;
  readonly text: string;
}

export interface ChatContext {
  /** The same through a session: for the beginning of the prompt. */
  readonly stable: string;
  /** For this question: for the end of the prompt. */
  readonly volatile: string;
  readonly recalled: { readonly hits: readonly RecalledHit[] };
}

export interface ContextRequest {
  readonly session?: string | undefined;
  readonly budget?: number | undefined;
  readonly stableBudget?: number | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SaidText {
  readonly text: string;
  readonly metadata?: JsonObject | undefined;
}

export interface SaidExchange {
  readonly user?: string | undefined;
  readonly assistant?: SaidText | undefined;
  readonly session?: string | undefined;
  readonly recalled?: readonly ShownText[] | undefined;
}

export interface ShownText {
  readonly content: string;
  readonly text?: string | undefined;
}

/** A `Memory`, a client of one, or whatever has these two verbs. */
export interface ChatMemory {
  context(question: string, options?: ContextRequest): Promise<ChatContext>;
  record(exchange: SaidExchange, options?: { readonly wait?: "journal" | "memory" }): Promise<unknown>;
}

export interface ChatMemoryOptions {
  readonly memory: ChatMemory;
  /** Names the conversation: the stable part stays byte for byte the same while it lasts. */
  readonly session?: string | undefined;
  /** Most tokens of what is recalled for a question. @default the memory's own */
  readonly budget?: number | undefined;
  /** Most tokens of the stable part. @default the memory's own */
  readonly stableBudget?: number | undefined;
  /** Most memories recalled for a question. @default the memory's own */
  readonly limit?: number | undefined;
  /** Whether what is said is kept. @default true */
  readonly record?: boolean | undefined;
  /** Whether keeping it waits until it can be recalled, or only until it is safe. @default the memory's own */
  readonly wait?: "journal" | "memory" | undefined;
  /** How long the chat waits for the memory, in milliseconds; after that it goes on without. @default 10 000 */
  readonly patienceMs?: number | undefined;
  /** Told what was recalled for a question, before the model is asked. */
  readonly onRecall?: ((context: ChatContext) => void) | undefined;
  /** Told that the memory failed; the chat goes on. */
  readonly onError?: ((error: unknown, during: "recall" | "record") => void) | undefined;
}

/** Where there is no reply to put warnings in, somebody must be told. */
export type ToldChatOptions = ChatMemoryOptions & Required<Pick<ChatMemoryOptions, "onError">>;

export function refuseUntold({ onError }: Partial<Pick<ChatMemoryOptions, "onError">>, who: string): void {
  if (typeof onError === "function") return;
  throw new MemoryError(
    "input_invalid",
    `${who} needs onError: a memory that fails does not stop the chat, and here nothing else would tell. Valid: a function (error, during).`,
  );
}

const call = z.custom<() => unknown>((value) => typeof value === "function", "must be a function");

const optionsSchema = z.strictObject({
  memory: z.custom<ChatMemory>(
    (value) => hasVerbs(value, ["context", "record"]),
    "must be a Memory, a client of one, or an object with context() and record()",
  ),
  session: z.string().max(256).optional(),
  budget: z.int().min(0).optional(),
  stableBudget: z.int().min(0).optional(),
  limit: z.int().min(1).max(1000).optional(),
  record: z.boolean().optional(),
  wait: z.enum(["journal", "memory"]).optional(),
  patienceMs: z.int().min(1).max(600_000).optional(),
  onRecall: call.optional(),
  onError: call.optional(),
});

const UNDONE = {
  recall: "Memory was not recalled",
  record: "What was said was not kept in memory",
} as const;

/** A server takes no more of them with one exchange. */
const MOST_RECALLED = 1000;

export interface SafeMemory {
  /** undefined: nothing was asked, or the memory failed. */
  recall(
    question: string,
    call: { readonly session?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<ChatContext | undefined>;
  /** false: it was not kept. What takes longer than the chat waits is told, and may be kept yet. */
  record(exchange: SaidExchange): Promise<boolean>;
  /** What failed and was not told yet, in sentences. */
  takeProblems(): string[];
}

export function safeMemory(options: ChatMemoryOptions): SafeMemory {
  const { memory } = options;
  parseInput(optionsSchema, options, "options of the chat's memory");
  const { session, budget, stableBudget, limit, wait, patienceMs = 10_000 } = options;
  const problems: string[] = [];
  const note = (problem: string): void => {
    // A chat that goes on for days without its memory does not pile them up.
    if (problems.length < 10) problems.push(problem);
  };
  const tell = (error: unknown, during: "recall" | "record", what: string = UNDONE[during]): void => {
    note(`${what}: ${reasonOf(error)}`);
    try {
      options.onError?.(error, during);
    } catch (failure) {
      note(`onError failed as well: ${reasonOf(failure)}`);
    }
  };
  return {
    async recall(text, { session: named = session, signal }) {
      const question = shortenedQuestion(storableText(cutRecalled(text)).trim());
      if (question === "") return undefined;
      try {
        const asked = { session: named, budget, stableBudget, limit };
        const context = await within(patienceMs, signal, (ending) =>
          memory.context(question, { ...asked, signal: ending }),
        );
        options.onRecall?.(context);
        return shownPart(context);
      } catch (error) {
        // Who gave up waiting for the reply does not miss the memory.
        if (signal?.aborted !== true) tell(error, "recall");
        return undefined;
      }
    },
    async record(exchange) {
      const said = { session, ...exchange, ...storableSides(exchange) };
      if (options.record === false || (said.user === undefined && said.assistant === undefined)) return true;
      const keep = async (): Promise<boolean> => {
        try {
          await (wait === undefined ? memory.record(said) : memory.record(said, { wait }));
          return true;
        } catch (error) {
          tell(error, "record");
          return false;
        }
      };
      return orAfter(patienceMs, keep(), (lateness) => {
        tell(lateness, "record", "Nobody knows yet whether what was said is kept in memory");
        return true;
      });
    },
    takeProblems: () => problems.splice(0),
  };
}

/** A recall comes with all that was looked at on the way; of the turns under way only what is shown is held. */
function shownPart({ stable, volatile, recalled }: ChatContext): ChatContext {
  const hits = recalled.hits.map(({ id, content, text }) => ({ id, content, text }));
  return { stable, volatile, recalled: { hits } };
}

/** What the model was shown: where it only repeats that, it says nothing new. */
export function shownBy(context: ChatContext | undefined): ShownText[] {
  if (context === undefined) return [];
  const { stable, recalled } = context;
  const hits = recalled.hits.map(({ content, text }) => ({ content, text }));
  return stable === "" ? hits : [{ content: stable }, ...hits];
}

/** One sign that cannot be stored must not cost the words around it. */
function storableSides({ user = "", assistant, recalled }: SaidExchange): Omit<SaidExchange, "session"> {
  const [asked, answered] = [storableText(user), storableText(assistant?.text ?? "")];
  return {
    user: asked.trim() === "" ? undefined : asked,
    assistant: answered.trim() === "" ? undefined : { ...assistant, text: answered },
    recalled: recalled?.slice(0, MOST_RECALLED),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
