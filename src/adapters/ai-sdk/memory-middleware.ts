/**
 * Memory for any model of the AI SDK, as a middleware of its `wrapLanguageModel`:
 *
 *     const model = wrapLanguageModel({ model: openai("…"), middleware: memoryMiddleware({ memory, session: "s1" }) });
 *
 * Before a call the memory is asked and what it knows is put into the prompt of that call (place-context.ts); after it, what
 * the user and the assistant said is kept (chat-turns.ts). Parts of a stream pass unchanged and at once. When the memory
 * fails, the chat goes on; `warnings` and `providerMetadata.neuromem` of the reply say so, and `onError` is told.
 *
 * One call may name its session: `providerOptions: { neuromem: { session: "s2" } }`.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { ChatMemoryOptions } from "../chat-memory.ts";
import { type ChatTurns, chatTurns, type Outcome, type Step } from "./chat-turns.ts";
import {
  finishWord,
  type Generated,
  isOpenToolCall,
  type ModelCall,
  type PromptPart,
  type Streamed,
  textsOf,
} from "./language-model.ts";
import { placeContext } from "./place-context.ts";
import { userTurn } from "./user-turn.ts";
import { watchStream } from "./watch-stream.ts";

export interface MemoryMiddleware {
  readonly specificationVersion: "v4";
  transformParams<Call extends ModelCall>(given: { readonly params: Call }): Promise<Call>;
  wrapGenerate<Result extends Generated>(given: {
    readonly doGenerate: () => PromiseLike<Result>;
    readonly params: ModelCall;
  }): Promise<Result>;
  wrapStream<Result extends Streamed>(given: {
    readonly doStream: () => PromiseLike<Result>;
    readonly params: ModelCall;
  }): Promise<Result>;
}

export function memoryMiddleware(options: ChatMemoryOptions): MemoryMiddleware {
  const turns = chatTurns(options);
  /** What a call's parameters, once changed, belong to. */
  const steps = new WeakMap<ModelCall, Step>();
  return {
    specificationVersion: "v4",
    async transformParams({ params }) {
      const turn = userTurn(params.prompt);
      if (turn === undefined) return params;
      const step = await turns.begin(turn, { session: sessionOf(params), signal: params.abortSignal });
      const { stable = "", volatile = "" } = step.context ?? {};
      const placed = { ...params, prompt: placeContext(params.prompt, { stable, volatile }) };
      steps.set(placed, step);
      return placed;
    },
    async wrapGenerate({ doGenerate, params }) {
      const step = steps.get(params);
      if (step === undefined) return doGenerate();
      const result = await orFail(doGenerate, step);
      await step.end(outcomeOf(params, result.content, finishWord(result.finishReason)));
      return withProblems(result, turns.takeProblems());
    },
    async wrapStream({ doStream, params }) {
      const step = steps.get(params);
      if (step === undefined) return doStream();
      const result = await orFail(doStream, step);
      return { ...result, stream: watched(result.stream, { params, step, turns }) };
    },
  };
}

const ownOptions = z.strictObject({ session: z.string().max(256).optional() });

function sessionOf({ providerOptions }: ModelCall): string | undefined {
  const own = providerOptions?.neuromem;
  return own === undefined ? undefined : parseInput(ownOptions, own, "providerOptions.neuromem").session;
}

async function orFail<Result>(ask: () => PromiseLike<Result>, step: Step): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    await step.end({ ended: "failed" });
    throw error;
  }
}

/** Ends of which an answer is not to be pretended. */
const BROKEN = ["error", "interrupted", "content-filter"];

function outcomeOf(params: ModelCall, content: readonly PromptPart[], finish: string): Outcome {
  if (BROKEN.includes(finish)) return { ended: "failed" };
  if (content.some(isOpenToolCall)) return { ended: "calls-tools" };
  // An object that was asked for is data for the program: nobody said it to the user.
  const isTalk = params.responseFormat?.type !== "json";
  return { ended: "answered", text: isTalk ? textsOf(content).join("") : "", isCut: finish === "length" };
}

function withProblems<Result extends Generated>(result: Result, problems: readonly string[]): Result {
  if (problems.length === 0) return result;
  return {
    ...result,
    warnings: [...result.warnings, ...asWarnings(problems)],
    providerMetadata: { ...result.providerMetadata, neuromem: { problems } },
  };
}

function asWarnings(problems: readonly string[]) {
  return problems.map((message) => ({ type: "other", message }));
}

interface Watched {
  readonly params: ModelCall;
  readonly step: Step;
  readonly turns: ChatTurns;
}

function watched(
  stream: ReadableStream<PromptPart>,
  { params, step, turns }: Watched,
): ReadableStream<PromptPart> {
  const content: PromptPart[] = [];
  const problems = turns.takeProblems();
  let text = "";
  let isBroken = false;
  let ending: Promise<void> | undefined;
  const settle = (outcome: () => Outcome): Promise<void> => {
    params.abortSignal?.removeEventListener("abort", giveUp);
    ending ??= step.end(outcome());
    return ending;
  };
  const fail = (): Promise<void> => settle(() => ({ ended: "failed" }));
  // Who gives up may never read on, nor say that he will not.
  const giveUp = (): void => void fail();
  params.abortSignal?.addEventListener("abort", giveUp, { once: true });
  return watchStream(stream, {
    see(part) {
      if (part.type === "text-delta" && "delta" in part && typeof part.delta === "string") text += part.delta;
      if (part.type === "tool-call") content.push(part);
      if (part.type === "error") isBroken = true;
      if (
        part.type === "stream-start" &&
        problems.length > 0 &&
        "warnings" in part &&
        Array.isArray(part.warnings)
      )
        return { ...part, warnings: [...part.warnings, ...asWarnings(problems)] };
      if (part.type !== "finish") return part;
      const finish = isBroken ? "error" : finishWord("finishReason" in part ? part.finishReason : undefined);
      void settle(() => outcomeOf(params, [...content, { type: "text", text }], finish));
      if (problems.length === 0) return part;
      const known =
        "providerMetadata" in part && typeof part.providerMetadata === "object" ? part.providerMetadata : {};
      return { ...part, providerMetadata: { ...known, neuromem: { problems } } };
    },
    // A stream without its finish broke off.
    end: fail,
    fail,
  });
}
