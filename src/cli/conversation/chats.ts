/**
 * Many chats of one account, as the exports of ChatGPT and Claude hold them: the oldest first, each a session that is called
 * as the chat is. Of two chats of one title the later one is told apart by a piece of its id.
 */
import type { NewTurn } from "../../base/turn.ts";
import { type Conversation, SOURCE_ID } from "./conversation.ts";
import { foreignName, foreignText } from "./foreign-text.ts";

export interface Chat {
  readonly id: string;
  readonly title: string;
  /** Epoch milliseconds; undefined: nobody knows. */
  readonly startedAt: number | undefined;
  readonly messages: readonly Message[];
}

export interface Message {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly at: number | undefined;
  /** Names of what was attached. */
  readonly files: readonly string[];
}

interface Speakers {
  /** Who the account's owner is. */
  readonly user: string;
  readonly assistant: string;
}

export function chatConversations(chats: readonly Chat[], speakers: Speakers): Conversation[] {
  const titles = new Map<string, number>();
  return chats
    .toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
    .map((chat) => {
      const title = foreignName(chat.title) || chat.id;
      const before = titles.get(title) ?? 0;
      titles.set(title, before + 1);
      const name = before === 0 ? title : `${title} (${chat.id.slice(0, 8)})`;
      return { name, turns: turnsOf(chat, name, speakers) };
    });
}

/** A message without a time was said no earlier than the one before. */
function turnsOf({ messages, startedAt }: Chat, session: string, speakers: Speakers): NewTurn[] {
  let now = startedAt;
  return messages.flatMap(({ id, role, text, at, files }): NewTurn[] => {
    now = at ?? now;
    const said = foreignText(text);
    const captions = files.map(foreignName).filter((file) => file !== "");
    if (said === "" && captions.length === 0) return [];
    return [
      {
        // A file may be sent without a word.
        text: said === "" ? captions.map((file) => `[${file}]`).join(" ") : said,
        captions: said === "" ? [] : captions,
        ...{ role, speaker: speakers[role], session, happenedAt: now },
        metadata: { [SOURCE_ID]: id },
      },
    ];
  });
}
