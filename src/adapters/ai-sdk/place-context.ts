/**
 * Where does what was recalled stand in a prompt? The stable part at the end of the system message, the volatile one behind
 * what the user said last. So everything up to the user's words is the same in the next call of the session, and a prompt
 * cache keeps it. Only the prompt of one call is changed, a copy: no history ever holds what was recalled.
 */
import type { ChatContext } from "../chat-memory.ts";
import { type PromptMessage, type PromptPart, textOf, textsOf } from "./language-model.ts";

type Blocks = Pick<ChatContext, "stable" | "volatile">;

export function placeContext(
  prompt: readonly PromptMessage[],
  { stable, volatile }: Blocks,
): PromptMessage[] {
  return placeStable(placeVolatile(prompt, volatile), stable);
}

function placeStable(prompt: readonly PromptMessage[], block: string): PromptMessage[] {
  if (block === "") return [...prompt];
  // The last of those it begins with: what the program itself says comes first.
  const first = prompt.findIndex(({ role }) => role !== "system");
  const last = (first < 0 ? prompt.length : first) - 1;
  if (last < 0) return [{ role: "system", content: block }, ...prompt];
  return prompt.map((message, place) =>
    place === last ? { ...message, content: withText(message.content, block) } : message,
  );
}

/** Behind the last words of the user; a prompt that has it already stays as it is. */
export function placeVolatile<Message extends PromptMessage>(
  prompt: readonly Message[],
  block: string,
): Message[] {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  const isThere = prompt.some(({ content }) => textsOf(content).some((text) => text.includes(block)));
  if (block === "" || isThere) return [...prompt];
  return prompt.map((message, place) =>
    place === last ? { ...message, content: withText(message.content, block) } : message,
  );
}

/** As part of the last text: some servers take a message of one text only, and a part of its own would be a second. */
function withText(content: string | readonly PromptPart[], block: string): string | readonly PromptPart[] {
  if (typeof content === "string") return joined(content, block);
  const last = content.findLastIndex((part) => textOf(part) !== undefined);
  if (last < 0) return [...content, { type: "text", text: block }];
  return content.map((part, place) =>
    place === last ? { ...part, text: joined(textOf(part) ?? "", block) } : part,
  );
}

export function joined(text: string, block: string): string {
  return [text, block].filter((part) => part !== "").join("\n\n");
}
