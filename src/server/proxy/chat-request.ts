/**
 * What does a client ask a chat model? Read from the body as far as memory needs it: what the user said last, what was said
 * before, and how the conversation began. A body that is not understood is none of ours: it goes upstream as it came, and the
 * model's server says what is wrong with it.
 */
import { z } from "zod";
import { storableText } from "../../base/text-input.ts";

const partSchema = z.looseObject({ type: z.string().optional(), text: z.string().optional() });
const contentSchema = z.union([z.string(), z.array(partSchema)]).nullish();
const chatSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })).min(1),
  user: z.string().nullish(),
});

export type Content = z.infer<typeof contentSchema>;

export interface Message {
  readonly role: string;
  readonly content?: Content;
}

export interface ChatRequest {
  /** The body, byte for byte. */
  readonly text: string;
  readonly messages: readonly Message[];
  /** Place of what the user said last. */
  readonly asked: number;
  /** Its words; "" where it has none, as a picture alone. */
  readonly question: string;
  /** What the user said first. */
  readonly opening: string;
  /** Whether it is what the conversation begins with: nothing was said before it. */
  readonly isOpening: boolean;
  /** Whether something follows what the user said last: the steps of tools, or the beginning of an answer. */
  readonly isContinued: boolean;
  /** The API's own field for whom the client asks. */
  readonly user: string | null;
}

/** undefined: it is no chat that memory can do anything for. */
export function readChat(bytes: Uint8Array): ChatRequest | undefined {
  const text = decoded(bytes);
  const found = text === undefined ? undefined : chatSchema.safeParse(parsed(text)).data;
  if (text === undefined || found === undefined) return undefined;
  const { messages, user = null } = found;
  const asked = messages.findLastIndex(({ role }) => role === "user");
  if (asked < 0) return undefined;
  const spoken = messages.filter(({ role }) => role === "user" || role === "assistant");
  return {
    text,
    messages,
    asked,
    question: wordsOf(messages[asked]?.content),
    opening: wordsOf(messages.find(({ role }) => role === "user")?.content),
    isOpening: spoken[0] === messages[asked],
    isContinued: asked < messages.length - 1,
    user,
  };
}

/** What is said in words: a text, or the texts of several parts. */
export function wordsOf(content: Content): string {
  if (content === null || content === undefined) return "";
  const texts = typeof content === "string" ? [content] : content.flatMap(({ text }) => text ?? []);
  return storableText(texts.join("\n")).trim();
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not a text: the upstream server is the one to say so.
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
