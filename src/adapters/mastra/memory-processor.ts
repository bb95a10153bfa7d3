/**
 * Memory for an agent of Mastra: one processor that stands in both lists.
 *
 *     const neuromem = memoryProcessor({ memory, onError: (error) => log(error) });
 *     new Agent({ …, inputProcessors: [neuromem], outputProcessors: [neuromem] });
 *
 * `processLLMRequest` puts what is recalled into the prompt of one request (where: ai-sdk/place-context.ts), which Mastra does
 * not write to its own history; `processOutputResult`, which runs once after a run that ended well, keeps what was said. What a
 * guardrail stopped is therefore not kept. Releases without `processLLMRequest`: `placement: "system"` adds both parts as system
 * messages in `processInput` instead, at the price of the prompt cache.
 *
 * The session is the thread of Mastra's own memory, unless one is given; `memory` may be chosen for each request, by the
 * resource (the user) it is for. Checked against the `Processor` interface of @mastra/core 1.x as its sources and reference
 * describe it (arguments, order of calls, one `state` for all methods of a request), without the package itself.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { PromptMessage } from "../ai-sdk/language-model.ts";
import { placeContext } from "../ai-sdk/place-context.ts";
import { userTurn } from "../ai-sdk/user-turn.ts";
import {
  type ChatContext,
  type ChatMemory,
  refuseUntold,
  type SafeMemory,
  safeMemory,
  shownBy,
  type ToldChatOptions,
} from "../chat-memory.ts";

/** Whom a request is for, as Mastra's memory knows it. */
export interface MastraRequest {
  readonly resource: string | undefined;
  readonly thread: string | undefined;
}

export interface MemoryProcessorOptions extends Omit<ToldChatOptions, "memory"> {
  /** One for all, or chosen for each request: `({ resource }) => memory.in(resource ?? "nobody")`. */
  readonly memory: ChatMemory | ((request: MastraRequest) => ChatMemory);
  /** request: in the prompt of one request; system: as system messages of the run. @default request */
  readonly placement?: "request" | "system" | undefined;
}

interface Shared {
  /** One object for all methods of a request. */
  readonly state: Record<string, unknown>;
  readonly requestContext?: { get(name: string): unknown } | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

interface RequestGiven extends Shared {
  readonly prompt: readonly PromptMessage[];
}

interface InputGiven extends Shared {
  readonly messages: readonly object[];
  readonly systemMessages: readonly object[];
}

interface OutputGiven extends Shared {
  readonly messages: readonly object[];
  readonly result?: { readonly text: string; readonly finishReason?: string | undefined } | undefined;
}

export interface MemoryProcessor {
  readonly id: "neuromem";
  readonly name: "NeuroMem";
  processLLMRequest?<Given extends RequestGiven>(
    given: Given,
  ): Promise<{ prompt: Given["prompt"] } | undefined>;
  processInput?<Given extends InputGiven>(
    given: Given,
  ): Promise<{ messages: Given["messages"]; systemMessages: Given["systemMessages"] }>;
  processOutputResult<Given extends OutputGiven>(given: Given): Promise<Given["messages"]>;
}

export function memoryProcessor(options: MemoryProcessorOptions): MemoryProcessor {
  const { memory, placement, ...chat } = options;
  refuseUntold(options, "memoryProcessor");
  parseInput(placementSchema, placement, "placement of memoryProcessor");
  const memoryOf = ({ requestContext }: Shared): { safe: SafeMemory; session: string | undefined } => {
    const request = requestOf(requestContext);
    const chosen = typeof memory === "function" ? chosenLater(() => memory(request)) : memory;
    return { safe: safeMemory({ ...chat, memory: chosen }), session: chat.session ?? request.thread };
  };
  // What is wrong with the options is said now, not in the middle of a chat.
  if (typeof memory !== "function") safeMemory({ ...chat, memory });
  const recall = async (text: string, given: Shared): Promise<Run> => {
    const known = runOf(given);
    if (known?.user === text) return known;
    const { safe, session } = memoryOf(given);
    const context = await safe.recall(text, { session, signal: given.abortSignal });
    const run = asRun(text, context);
    given.state[STATE] = run;
    return run;
  };
  const adding: Pick<MemoryProcessor, "processInput" | "processLLMRequest"> =
    placement === "system"
      ? {
          async processInput(given) {
            const { messages, systemMessages } = given;
            const text = lastUserText(messages);
            const { stable, volatile } = text === "" ? EMPTY : await recall(text, given);
            const added = [stable, volatile].filter((block) => block !== "");
            return added.length === 0
              ? { messages, systemMessages }
              : {
                  messages,
                  ...withSystem(given, added),
                };
          },
        }
      : {
          async processLLMRequest(given) {
            const turn = userTurn(given.prompt);
            if (turn === undefined) return undefined;
            return withPrompt(given, placeContext(given.prompt, await recall(turn.text, given)));
          },
        };
  return {
    id: "neuromem",
    name: "NeuroMem",
    ...adding,
    async processOutputResult(given) {
      const { messages, result } = given;
      const run = runOf(given);
      const isBroken = result?.finishReason === "error";
      const text = isBroken ? "" : (result?.text ?? messages.flatMap(assistantTexts).join("\n\n"));
      const { safe, session } = memoryOf(given);
      await safe.record({
        user: run?.user,
        assistant: text.trim() === "" ? undefined : { text },
        session,
        recalled: run?.recalled ?? [],
      });
      return messages;
    },
  };
}

const placementSchema = z.enum(["request", "system"]).optional();

const STATE = "neuromem";

/** What is known of a run: plain data, for a state may be copied on its way. */
const runSchema = z.object({
  user: z.string(),
  stable: z.string(),
  volatile: z.string(),
  recalled: z.array(z.object({ content: z.string(), text: z.string().optional() })),
});
type Run = z.infer<typeof runSchema>;

const EMPTY: Run = { user: "", stable: "", volatile: "", recalled: [] };

function runOf({ state }: Shared): Run | undefined {
  return runSchema.safeParse(state[STATE]).data;
}

function asRun(user: string, context: ChatContext | undefined): Run {
  if (context === undefined) return { ...EMPTY, user };
  const { stable, volatile } = context;
  return { user, stable, volatile, recalled: shownBy(context) };
}

/** Who has no memory (a name that is no scope) is like one whose memory failed: it is told, and the chat goes on. */
function chosenLater(choose: () => ChatMemory): ChatMemory {
  return {
    context: async (...given) => choose().context(...given),
    record: async (...given) => choose().record(...given),
  };
}

function withPrompt<Given extends RequestGiven>(
  given: Given,
  prompt: PromptMessage[],
): { prompt: Given["prompt"] } {
  const changed: Given = { ...given, prompt };
  return { prompt: changed.prompt };
}

function withSystem<Given extends InputGiven>(
  given: Given,
  blocks: readonly string[],
): { systemMessages: Given["systemMessages"] } {
  const added = blocks.map((content) => ({ role: "system", content }));
  const changed: Given = { ...given, systemMessages: [...given.systemMessages, ...added] };
  return { systemMessages: changed.systemMessages };
}

const memoryContext = z.object({
  resourceId: z.string().optional(),
  thread: z.object({ id: z.string() }).optional(),
});

/** Where Mastra's memory leaves what it knows of the request. */
function requestOf(context: Shared["requestContext"]): MastraRequest {
  const found = memoryContext.safeParse(context?.get("MastraMemory")).data;
  return { resource: found?.resourceId, thread: found?.thread?.id };
}

/** As Mastra keeps messages: their text stands in `content.parts`, in older ones in `content.content`. */
const messageSchema = z.object({
  role: z.string(),
  content: z.object({
    parts: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
    content: z.string().optional(),
  }),
});

function textIn(message: object, role: string): string[] {
  const read = messageSchema.safeParse(message).data;
  if (read === undefined || read.role !== role) return [];
  const { parts, content } = read.content;
  const texts = parts.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []));
  return texts.length > 0 ? texts : content === undefined || content === "" ? [] : [content];
}

function lastUserText(messages: readonly object[]): string {
  const said = messages.map((message) => textIn(message, "user")).filter((texts) => texts.length > 0);
  return said.at(-1)?.join("\n") ?? "";
}

function assistantTexts(message: object): string[] {
  return textIn(message, "assistant");
}
