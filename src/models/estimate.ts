/** What will a call use? Known before it is sent: the tokens of everything that goes in, and the most that may come out. */
import type { ChatRequest, Usage } from "./model.ts";

export type CountTokens = (text: string) => number;

/** Without a bound on the reply nobody knows its length: then only what goes in is counted. */
export function estimateUsage(
  texts: readonly string[],
  maxTokens: number | undefined,
  countTokens: CountTokens,
): Usage {
  const inputTokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  return { inputTokens, outputTokens: maxTokens ?? 0 };
}

export function estimateChat(request: ChatRequest, countTokens: CountTokens): Usage {
  return estimateUsage(textsOf(request), request.maxTokens, countTokens);
}

/** Every text of a request that is counted: messages, calls of tools, and what describes tools and shape. */
export function textsOf(request: ChatRequest): string[] {
  const texts = request.messages.map((message) => message.text);
  for (const message of request.messages) {
    if (message.role === "assistant" && message.toolCalls !== undefined) {
      texts.push(JSON.stringify(message.toolCalls));
    }
  }
  if (request.tools !== undefined) texts.push(JSON.stringify(request.tools));
  if (request.shape !== undefined) texts.push(JSON.stringify(request.shape.schema));
  return texts;
}
