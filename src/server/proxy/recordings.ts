/**
 * What was said through the proxy is written down after the reply has gone: it delays nobody, and whoever ends the proxy
 * waits for it. What could not be written down is told to the log; the chat has long gone on.
 */
import { setImmediate } from "node:timers/promises";
import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../../runtime/memory.ts";
import { hashOf, type TurnState } from "./conversations.ts";

export interface Said {
  readonly memory: Memory;
  readonly turn: TurnState;
  /** "" where there are no words. */
  readonly user: string;
  /** "" where nobody answered, or not to the end. */
  readonly assistant: string;
}

export interface Recordings {
  keep(said: Said): void;
  /** Until all that was said so far has been written down. */
  settled(): Promise<void>;
}

export function createRecordings(log: (line: string) => void): Recordings {
  const underWay = new Set<Promise<void>>();
  return {
    keep(said) {
      const recording = afterReply()
        .then(() => record(said))
        .catch((error: unknown) => log(`What was said could not be recorded: ${reasonOf(error)}`))
        .finally(() => underWay.delete(recording));
      underWay.add(recording);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}

/** The last bytes of the reply leave first, and whoever reads them in this very process does so, too. */
async function afterReply(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}

/** What the user said is recorded once, however often the client sends it; so is each answer. */
async function record({ memory, turn, user, assistant }: Said): Promise<void> {
  const answer = hashOf([assistant]);
  const isNews = {
    user: user !== "" && !turn.isUserRecorded,
    assistant: assistant !== "" && !turn.answers.has(answer),
  };
  if (!isNews.user && !isNews.assistant) return;
  // Marked before, as the same may come a second time meanwhile.
  if (isNews.user) turn.isUserRecorded = true;
  if (isNews.assistant) turn.answers.add(answer);
  try {
    await memory.record({
      ...(isNews.user ? { user } : {}),
      ...(isNews.assistant ? { assistant, recalled: shownBy(turn) } : {}),
      session: turn.session,
    });
  } catch (error) {
    if (isNews.user) turn.isUserRecorded = false;
    if (isNews.assistant) turn.answers.delete(answer);
    throw error;
  }
}

/** What the model was shown: repeated by it, it is no news. */
function shownBy({ shown }: TurnState): readonly { readonly content: string; readonly text?: string }[] {
  if (shown === undefined) return [];
  const { stable, hits } = shown;
  return [...hits, ...(stable === "" ? [] : [{ content: stable }])];
}

/** Never what was said: only what is known not to hold any of it. */
export function reasonOf(error: unknown): string {
  if (MemoryError.is(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.name : typeof error;
}
