/**
 * Claude's export (conversations.json): a list of chats with their messages in order. A message is made of blocks; its text
 * blocks count, what tools were asked and returned and what was only thought does not. Of a chat that was edited, the branch
 * of the last message is read, where the export says which message follows which.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import { type Chat, chatConversations, type Message } from "./chats.ts";
import type { Conversation } from "./conversation.ts";
import { readMoment } from "./moment.ts";

const fileSchema = z.object({ file_name: z.string().nullish() });
const messageSchema = z.object({
  uuid: z.string(),
  sender: z.string(),
  text: z.string().nullish(),
  content: z.array(z.object({ type: z.string(), text: z.string().nullish() })).nullish(),
  created_at: z.string().nullish(),
  parent_message_uuid: z.string().nullish(),
  attachments: z.array(fileSchema).nullish(),
  files: z.array(fileSchema).nullish(),
});
type Said = z.infer<typeof messageSchema>;

const schema = z.array(
  z.object({
    uuid: z.string(),
    name: z.string().nullish(),
    created_at: z.string().nullish(),
    chat_messages: z.array(messageSchema),
  }),
);

const ROLES = { human: "user", user: "user", assistant: "assistant" } as const;

export function readClaude(value: unknown, file: string, user: string): Conversation[] {
  const chats = parseInput(schema, Array.isArray(value) ? value : [value], `Claude export ${file}`);
  return chatConversations(
    chats.map(
      (chat): Chat => ({
        id: chat.uuid,
        title: chat.name ?? "",
        startedAt: readMoment(chat.created_at ?? ""),
        messages: shownBranch(chat.chat_messages).flatMap(messageOf),
      }),
    ),
    { user, assistant: "Claude" },
  );
}

function shownBranch(messages: readonly Said[]): readonly Said[] {
  const byId = new Map(messages.map((message) => [message.uuid, message]));
  const first = messages.map((message) => message.parent_message_uuid).filter((id) => !byId.has(id ?? ""));
  // Where it is told, each follows another or the chat's beginning, which has an id of its own.
  if (first.length > 1 && (first[0] == null || new Set(first).size > 1)) return messages;
  const branch: Said[] = [];
  for (let one = messages.at(-1); one !== undefined; one = byId.get(one.parent_message_uuid ?? "")) {
    branch.push(one);
    byId.delete(one.uuid);
  }
  return branch.reverse();
}

function messageOf({ uuid: id, sender, text, content, created_at, attachments, files }: Said): Message[] {
  const role = Object.entries(ROLES).find(([name]) => name === sender)?.[1];
  if (role === undefined) return [];
  const blocks = (content ?? []).filter(({ type }) => type === "text").flatMap((block) => block.text ?? []);
  return [
    {
      ...{ id, role },
      // Beside blocks of other kinds the text says only that they cannot be shown.
      text: (content ?? []).length > 0 ? blocks.join("\n") : (text ?? ""),
      at: readMoment(created_at ?? ""),
      files: [...(attachments ?? []), ...(files ?? [])].flatMap(({ file_name }) => file_name ?? []),
    },
  ];
}
