/**
 * Which conversation is this, and what of it is known already? A client of a chat API sends the whole conversation with every
 * call, and once more for every step of a tool, so the same words of a user come many times and were said once.
 *
 * Where the client names no session, a conversation is known by the words it begins with. Those words alone, said again after
 * a while, begin another one. A turn is known by all that users and assistants said up to it; instructions do not count, for
 * many clients put the time into them.
 *
 * Kept by this process, the most recent only: after a restart a conversation that goes on gets another session, and a step of
 * a tool that was under way has its user's words recorded again.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { createLru, type Lru } from "../../base/lru.ts";
import { type ChatRequest, wordsOf } from "./chat-request.ts";

/** What of a memory a model was shown: the two blocks, and the texts in them. */
export interface Shown {
  readonly stable: string;
  readonly volatile: string;
  readonly hits: readonly { readonly content: string; readonly text: string }[];
  /** The newest event of the memory before it was recalled. */
  readonly seq: number;
}

/** What is known of one thing a user said. */
export interface TurnState {
  readonly session: string;
  /** What was recalled for it: the steps of its tools are shown the same, so that what they send begins alike. */
  shown: Shown | undefined;
  isUserRecorded: boolean;
  /** Hashes of the answers that were recorded. */
  readonly answers: Set<string>;
}

export interface Conversations {
  turnOf(scope: string, chat: ChatRequest, named: string | undefined): TurnState;
}

/** So long the same beginning is a second try and not another conversation. */
const SECOND_TRY_MS = 600_000;
const MOST = 10_000;

interface Slot<Value> {
  value: Value;
  usedAt: number;
}

export function createConversations(clock: Clock): Conversations {
  const sessions = createLru<string, Slot<string>>(MOST);
  const turns = createLru<string, Slot<TurnState>>(MOST);

  const current = <Value>(
    slots: Lru<string, Slot<Value>>,
    key: string,
    isBeginning: boolean,
    make: () => Value,
  ): Value => {
    const now = clock.now();
    const slot = slots.get(key, () => ({ value: make(), usedAt: now }));
    if (isBeginning && now - slot.usedAt > SECOND_TRY_MS) slot.value = make();
    slot.usedAt = now;
    return slot.value;
  };

  return {
    turnOf(scope, chat, named) {
      const isBeginning = chat.isOpening && !chat.isContinued;
      const begun = hashOf([scope, chat.opening]);
      const session =
        named ?? current(sessions, begun, isBeginning, () => sessionName(begun, new Date(clock.now())));
      const key = hashOf([scope, session, ...spokenUpTo(chat)]);
      const make = () => ({ session, shown: undefined, isUserRecorded: false, answers: new Set<string>() });
      return current<TurnState>(turns, key, isBeginning, make);
    },
  };
}

function spokenUpTo({ messages, asked }: ChatRequest): string[] {
  return messages
    .slice(0, asked + 1)
    .filter(({ role }) => role === "user" || role === "assistant")
    .flatMap(({ role, content }) => [role, wordsOf(content)]);
}

/** As "chat 2026-11-16 09:30 3f2a9c01". */
function sessionName(begun: string, at: Date): string {
  return `chat ${at.toISOString().slice(0, 16).replace("T", " ")} ${begun.slice(0, 8)}`;
}

export function hashOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
