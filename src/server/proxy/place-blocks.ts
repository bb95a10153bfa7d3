/**
 * Where does what was recalled go? The stable part at the end of the system message, so that a prompt cache keeps all that
 * stands before and in it; the volatile part at the beginning of what the user said last, where nothing after it is kept in a
 * cache anyway. Every other byte of the body stays as the client sent it.
 */
import { invariant } from "../../base/errors.ts";
import type { ChatRequest } from "./chat-request.ts";
import { type Span, spanOf } from "./json-spans.ts";

export interface Blocks {
  readonly stable: string;
  readonly volatile: string;
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

export function placeBlocks(chat: ChatRequest, { stable, volatile }: Blocks): string {
  const insertions = [
    ...(stable === "" ? [] : [stableInsertion(chat, stable)]),
    ...(volatile === "" ? [] : [atBeginning(chat, chat.asked, volatile)]),
  ];
  // From the end: what is put in moves nothing that stands before it.
  return insertions
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: block }) => text.slice(0, at) + block + text.slice(at), chat.text);
}

/** In the first system message; without one, as one of its own. */
function stableInsertion(chat: ChatRequest, block: string): Insertion {
  const { messages, text } = chat;
  const system = messages.findIndex(
    ({ role, content }) =>
      ["system", "developer"].includes(role) && content !== null && content !== undefined,
  );
  if (system >= 0) return atEnd(chat, system, block);
  const { start } = found(spanOf(text, ["messages"]));
  return { at: start + 1, text: `${JSON.stringify({ role: "system", content: block })},` };
}

function atBeginning({ text, messages }: ChatRequest, message: number, block: string): Insertion {
  const { start } = found(spanOf(text, ["messages", message, "content"]));
  const content = messages[message]?.content;
  if (typeof content === "string") return { at: start + 1, text: quoted(`${block}\n\n`) };
  return { at: start + 1, text: `${textPart(block)}${content?.length === 0 ? "" : ","}` };
}

function atEnd({ text, messages }: ChatRequest, message: number, block: string): Insertion {
  const { end } = found(spanOf(text, ["messages", message, "content"]));
  const content = messages[message]?.content;
  if (typeof content === "string")
    return { at: end - 1, text: quoted(content === "" ? block : `\n\n${block}`) };
  return { at: end - 1, text: `${content?.length === 0 ? "" : ","}${textPart(block)}` };
}

function textPart(text: string): string {
  return JSON.stringify({ type: "text", text });
}

/** As it stands between the quotes of a JSON string. */
function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function found(span: Span | undefined): Span {
  invariant(span !== undefined, "What JSON.parse found in a chat request is nowhere in its text");
  return span;
}
