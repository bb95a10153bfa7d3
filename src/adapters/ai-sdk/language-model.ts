/**
 * What is a language model to us? The little that the versions of the AI SDK's model interface have in common (V2 of AI SDK 5,
 * V3 of 6, V4 of 7): a prompt goes in, content or a stream of parts comes out. Only what is read here is named, so that
 * objects of every version fit as they are, and the package `ai` is not needed to compile or to run this.
 */
import { z } from "zod";

export interface PromptPart {
  readonly type: string;
  readonly text?: unknown;
}

export interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly PromptPart[];
}

export interface ModelCall {
  readonly prompt: readonly PromptMessage[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly responseFormat?: { readonly type: string } | undefined;
  readonly providerOptions?: { readonly [provider: string]: object | undefined } | undefined;
}

export interface Generated {
  readonly content: readonly PromptPart[];
  readonly finishReason: unknown;
  readonly warnings: readonly unknown[];
  readonly providerMetadata?: object | undefined;
}

export interface Streamed {
  readonly stream: ReadableStream<PromptPart>;
}

export interface LanguageModelLike {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(call: ModelCall): PromiseLike<Generated>;
  doStream(call: ModelCall): PromiseLike<Streamed>;
}

const reason = z.union([z.string(), z.object({ unified: z.string() }).transform(({ unified }) => unified)]);

/** V2 says it in a word, later ones with the provider's own word beside it. */
export function finishWord(finishReason: unknown): string {
  return reason.catch("unknown").parse(finishReason);
}

/** The texts of parts, or of a message that is only text. */
export function textsOf(content: string | readonly PromptPart[]): string[] {
  if (typeof content === "string") return content === "" ? [] : [content];
  return content.flatMap((part) => textOf(part) ?? []);
}

export function textOf(part: PromptPart): string | undefined {
  if (part.type !== "text" || typeof part.text !== "string") return undefined;
  return part.text === "" ? undefined : part.text;
}

/** A call that somebody else than the provider answers: the reply goes on afterwards. */
export function isOpenToolCall(part: PromptPart): boolean {
  return part.type === "tool-call" && !("providerExecuted" in part && part.providerExecuted === true);
}
