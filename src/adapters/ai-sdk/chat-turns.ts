/**
 * Once for everything the user says: recalled before the first step of the answer, and kept when it ends. Steps in between
 * are shown what the first was, byte for byte, and keep nothing twice.
 *
 * - An answer that ends is kept together with what the user said.
 * - When tools are called first, what the user said is kept at once (nobody knows whether there is a next step), and the
 *   answer when it ends.
 * - When the call fails or is given up, what the user said is kept, and of an answer that broke off nothing. A call that is
 *   tried again does not keep the user's words again; the memory is asked anew, for it may have been what was given up.
 */
import { createLru } from "../../base/lru.ts";
import {
  type ChatContext,
  type ChatMemoryOptions,
  type SafeMemory,
  safeMemory,
  shownBy,
} from "../chat-memory.ts";
import type { UserTurn } from "./user-turn.ts";

export type Outcome =
  | { readonly ended: "answered"; readonly text: string; readonly isCut?: boolean }
  | { readonly ended: "calls-tools" }
  | { readonly ended: "failed" };

export interface Step {
  readonly context: ChatContext | undefined;
  end(outcome: Outcome): Promise<void>;
}

export interface StepCall {
  readonly session?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ChatTurns extends Pick<SafeMemory, "takeProblems"> {
  begin(turn: UserTurn, call: StepCall): Promise<Step>;
}

interface Kept {
  context: Promise<ChatContext | undefined>;
  isUserKept: boolean;
  isFailed: boolean;
}

/** Turns that are under way at once, of all sessions. */
const MOST_TURNS = 1000;

export function chatTurns(options: ChatMemoryOptions): ChatTurns {
  const memory = safeMemory(options);
  const slots = createLru<string, { kept: Kept | undefined }>(MOST_TURNS);
  return {
    takeProblems: memory.takeProblems,
    async begin(turn, { session = options.session, signal }) {
      const slot = slots.get(JSON.stringify([session ?? "", turn.place, turn.text]), () => ({
        kept: undefined,
      }));
      const recall = () => memory.recall(turn.text, { session, signal });
      const before = slot.kept;
      const kept =
        before !== undefined && (turn.isOngoing || before.isFailed)
          ? before
          : {
              context: recall(),
              // Another process began this answer, and kept what it answers.
              isUserKept: turn.isOngoing,
              isFailed: false,
            };
      if (kept === before && !turn.isOngoing) kept.context = recall();
      slot.kept = kept;
      const context = await kept.context;
      return {
        context,
        async end(outcome) {
          kept.isFailed = outcome.ended === "failed";
          const user = kept.isUserKept ? undefined : turn.text;
          const assistant = outcome.ended === "answered" ? answerOf(turn, outcome) : undefined;
          // Set before it is done: what ends twice at once is kept once.
          kept.isUserKept = true;
          const recalled = [...shownBy(context), ...turn.recalled];
          const isDone = await memory.record({ user, assistant, session, recalled });
          if (!isDone && user !== undefined) kept.isUserKept = false;
        },
      };
    },
  };
}

function answerOf({ answered }: UserTurn, { text, isCut }: Extract<Outcome, { ended: "answered" }>) {
  const said = [...answered, text].filter((one) => one.trim() !== "").join("\n\n");
  if (said === "") return undefined;
  // Who reads it later sees that it goes no further.
  return isCut === true ? { text: said, metadata: { cut: true } } : { text: said };
}
