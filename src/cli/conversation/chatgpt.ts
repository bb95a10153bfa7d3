/**
 * ChatGPT's export (conversations.json): a list of chats, each a tree of messages, because an answer that was asked for
 * again is a branch. The branch that the chat shows is read, from its last message to the first. What a person and the
 * assistant said to each other counts; what tools returned, system messages and notes to tools do not.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import { type Chat, chatConversations, type Message } from "./chats.ts";
import type { Conversation } from "./conversation.ts";

const messageSchema = z.object({
  id: z.string(),
  author: z.object({ role: z.string() }),
  create_time: z.number().nullish(),
  content: z.object({ content_type: z.string(), parts: z.array(z.unknown()).nullish() }),
  recipient: z.string().nullish(),
  metadata: z
    .object({
      is_visually_hidden_from_conversation: z.boolean().nullish(),
      attachments: z.array(z.object({ name: z.string().nullish() })).nullish(),
    })
    .nullish(),
});

const nodeSchema = z.object({
  message: messageSchema.nullish(),
  parent: z.string().nullish(),
  children: z.array(z.string()).nullish(),
});
type Node = z.infer<typeof nodeSchema>;

const schema = z.array(
  z.object({
    id: z.string().nullish(),
    conversation_id: z.string().nullish(),
    title: z.string().nullish(),
    create_time: z.number().nullish(),
    current_node: z.string().nullish(),
    mapping: z.record(z.string(), nodeSchema),
  }),
);

const SAID = new Set(["text", "multimodal_text"]);
const partSchema = z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]);

export function readChatGpt(value: unknown, file: string, user: string): Conversation[] {
  const chats = parseInput(schema, Array.isArray(value) ? value : [value], `ChatGPT export ${file}`);
  return chatConversations(
    chats.map(
      (chat, place): Chat => ({
        id: chat.conversation_id ?? chat.id ?? `chat ${place + 1}`,
        title: chat.title ?? "",
        startedAt: toMs(chat.create_time),
        messages: shownPath(chat.mapping, chat.current_node).flatMap(messageOf),
      }),
    ),
    { user, assistant: "ChatGPT" },
  );
}

/** From the first message to the one that is shown last. */
function shownPath(mapping: Readonly<Record<string, Node>>, last: string | null | undefined): Node[] {
  const path: Node[] = [];
  const seen = new Set<string>();
  const isThere = last != null && Object.hasOwn(mapping, last);
  for (
    let id: string | null | undefined = isThere ? last : newestLeaf(mapping);
    id != null && !seen.has(id);
  ) {
    seen.add(id);
    const node: Node | undefined = Object.hasOwn(mapping, id) ? mapping[id] : undefined;
    if (node === undefined) break;
    path.push(node);
    id = node.parent;
  }
  return path.reverse();
}

/** Where nothing says what is shown: the message said last of those that none follows. */
function newestLeaf(mapping: Readonly<Record<string, Node>>): string | undefined {
  const leaves = Object.entries(mapping).filter(([, { children }]) => (children ?? []).length === 0);
  const at = ([, { message }]: [string, Node]): number => message?.create_time ?? 0;
  return leaves.toSorted((a, b) => at(a) - at(b)).at(-1)?.[0];
}

function messageOf({ message }: Node): Message[] {
  if (message == null || message.metadata?.is_visually_hidden_from_conversation === true) return [];
  const { id, author, content, recipient, metadata } = message;
  const { role } = author;
  if (role !== "user" && role !== "assistant") return [];
  if (!SAID.has(content.content_type) || (recipient ?? "all") !== "all") return [];
  const text = (content.parts ?? [])
    .flatMap((part) => partSchema.safeParse(part).data ?? [])
    .join("\n")
    .trim();
  const files = (metadata?.attachments ?? []).flatMap(({ name }) => name ?? []);
  return [{ id, role, text, at: toMs(message.create_time), files }];
}

/** Epoch seconds, with a fraction. */
function toMs(seconds: number | null | undefined): number | undefined {
  return seconds == null || seconds === 0 ? undefined : Math.round(seconds * 1000);
}
