/**
 * Memory for who builds the loop himself, or has an agent of the AI SDK: hooks to hand in with the call.
 *
 *     const hooks = memoryHooks({ memory, session: "s1", onError: (error) => log(error) });
 *     await generateText({ model, messages, tools, ...hooks });
 *     const agent = new ToolLoopAgent({ model, tools, ...hooks });
 *
 * `prepareStep` recalls before the first step and puts it into the prompt; `onEnd` keeps what was said (`onFinish` is its name
 * before AI SDK 7); `onAbort` and `onStepError` keep what the user said when there is no answer. One object may serve many
 * calls at once: the list of steps, which the SDK hands to the hooks of a call, tells them apart; a failed step comes with a
 * copy of that list, and is known by the very message it was asked with.
 *
 * SDKs before 7 do not show a hook the system prompt: there both parts stand behind the user's words.
 */
import { type ChatContext, refuseUntold, type ToldChatOptions } from "../chat-memory.ts";
import { chatTurns, type Outcome, type Step } from "./chat-turns.ts";
import { finishWord, type PromptMessage } from "./language-model.ts";
import { joined, placeVolatile } from "./place-context.ts";
import { userTurn } from "./user-turn.ts";

interface SystemText {
  readonly content: string;
}

export interface StepGiven<Message, System> {
  readonly steps: readonly unknown[];
  readonly messages: readonly Message[];
  readonly instructions?: string | System | System[] | undefined;
}

interface StepEnd {
  readonly steps: readonly { readonly text: string }[];
  readonly finishReason: unknown;
}

interface StepsGiven {
  readonly steps: readonly unknown[];
}

interface FailedStep {
  readonly messages: readonly PromptMessage[];
}

export interface MemoryHooks {
  prepareStep<Message extends PromptMessage, System extends SystemText>(
    given: StepGiven<Message, System>,
  ): Promise<{ messages: Message[]; instructions?: string | System | System[] } | undefined>;
  onEnd(end: StepEnd): Promise<void>;
  /** The same as `onEnd`, for AI SDK 5 and 6. */
  onFinish(end: StepEnd): Promise<void>;
  onAbort(given: StepsGiven): Promise<void>;
  onStepError(given: FailedStep): Promise<void>;
}

export function memoryHooks(options: ToldChatOptions): MemoryHooks {
  refuseUntold(options, "memoryHooks");
  const turns = chatTurns(options);
  /** By the list of a call's steps, and by the user's message. */
  const begun = new WeakMap<object, Step>();
  const end = async (step: Step | undefined, outcome: Outcome): Promise<void> => {
    await step?.end(outcome);
    // They were told to onError; a hook has no reply to put warnings in.
    turns.takeProblems();
  };
  const onEnd = (given: StepEnd): Promise<void> => end(begun.get(given.steps), outcomeOf(given));
  return {
    async prepareStep(given) {
      const turn = userTurn(given.messages);
      const step = begun.get(given.steps) ?? (turn && (await turns.begin(turn, {})));
      if (step === undefined) return undefined;
      const result = step.context && placed(given, step.context);
      const asked = lastUser(result?.messages ?? given.messages);
      begun.set(given.steps, step);
      if (asked !== undefined) begun.set(asked, step);
      return result;
    },
    onEnd,
    onFinish: onEnd,
    onAbort: ({ steps }) => end(begun.get(steps), { ended: "failed" }),
    onStepError({ messages }) {
      const asked = lastUser(messages);
      return end(asked && begun.get(asked), { ended: "failed" });
    },
  };
}

function lastUser(messages: readonly PromptMessage[]): PromptMessage | undefined {
  return messages.findLast(({ role }) => role === "user");
}

function outcomeOf({ steps, finishReason }: StepEnd): Outcome {
  const finish = finishWord(finishReason);
  if (finish === "error") return { ended: "failed" };
  return {
    ended: "answered",
    text: steps
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n\n"),
    isCut: finish === "length",
  };
}

function placed<Message extends PromptMessage, System extends SystemText>(
  given: StepGiven<Message, System>,
  { stable, volatile }: ChatContext,
) {
  if (!("instructions" in given))
    return { messages: placeVolatile(given.messages, joined(stable, volatile)) };
  const messages = placeVolatile(given.messages, volatile);
  return stable === "" ? { messages } : { messages, instructions: withStable(given.instructions, stable) };
}

/** What the SDK carries on from step to step has it already. */
function withStable<System extends SystemText>(
  instructions: string | System | System[] | undefined,
  block: string,
): string | System | System[] {
  if (instructions === undefined) return block;
  if (typeof instructions === "string")
    return instructions.includes(block) ? instructions : joined(instructions, block);
  if (!Array.isArray(instructions)) return withBlock(instructions, block);
  const last = instructions.at(-1);
  return last === undefined ? block : [...instructions.slice(0, -1), withBlock(last, block)];
}

function withBlock<System extends SystemText>(message: System, block: string): System {
  return message.content.includes(block) ? message : { ...message, content: joined(message.content, block) };
}
