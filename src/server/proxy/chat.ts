/**
 * A chat call with a memory around it: what is known about what the user says goes into the prompt, the call goes upstream and
 * its reply comes back untouched, then both sides are written down. What was put into the prompt is part of this one call: the
 * client never sees it, and it is not recorded.
 *
 * A memory that fails, or takes too long, costs the model its memories and never the user the answer; the header
 * `neuromem-memory` tells. Of a call that the upstream server refused nothing is recorded, for the client will say it again.
 */
import type { IncomingMessage } from "node:http";
import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../../runtime/memory.ts";
import type { Line } from "../../tasks/dialogue.ts";
import { shortenedQuestion } from "../../text/long-question.ts";
import { callerFor } from "../access.ts";
import { bodyBytes } from "../body.ts";
import type { ServerContext } from "../server.ts";
import { answerOf, MOST_BYTES } from "./answer.ts";
import { type ChatRequest, readChat, wordsOf } from "./chat-request.ts";
import type { Shown, TurnState } from "./conversations.ts";
import { MEMORY_HEADER, requestHeaders, sentQuery } from "./headers.ts";
import { placeBlocks } from "./place-blocks.ts";
import type { ChatOptions, ProxyParts } from "./proxy-options.ts";
import { type Recordings, reasonOf } from "./recordings.ts";
import { type Ending, type Listener, relay } from "./relay.ts";

export async function chatCall(context: ServerContext, parts: ProxyParts): Promise<Response> {
  const { server, options } = parts;
  const bytes = await bodyBytes(context, server.limits.bodyBytes);
  const chat = readChat(bytes);
  const named = options.userIsScope === true ? (chat?.user ?? undefined) : undefined;
  const { memory, access } = await callerFor(context, server, "read", named);
  if (chat === undefined || isOff(context)) return forward(context, parts, bytes, "skipped");
  const turn = parts.conversations.turnOf(memory.scope, chat, sessionOf(context, parts));
  const recalled = await recall(context, parts, memory, { chat, turn });
  const body = typeof recalled === "string" ? bytes : Buffer.from(placeBlocks(chat, recalled));
  const told = typeof recalled === "string" ? recalled : `recalled; hits=${recalled.hits.length}`;
  const recordings = access.may === "write" ? parts.recordings : undefined;
  return forward(context, parts, body, told, recordings && { recordings, memory, turn, user: chat.question });
}

interface Keeping {
  readonly recordings: Recordings;
  readonly memory: Memory;
  readonly turn: TurnState;
  readonly user: string;
}

async function forward(
  context: ServerContext,
  { upstream, options }: ProxyParts,
  body: Uint8Array,
  told: string,
  keeping?: Keeping,
): Promise<Response> {
  const { req } = context;
  const { signal } = req.raw;
  const incoming = await upstream
    .send({
      method: req.method,
      path: "/chat/completions",
      query: sentQuery(req.url),
      headers: {
        ...requestHeaders(req.raw.headers, options),
        // So that what comes back can be read as it passes.
        "accept-encoding": "identity",
        "content-length": String(body.length),
      },
      body,
      signal,
    })
    .catch((error: unknown) => {
      // It was said, though whoever said it did not wait for an answer.
      if (signal.aborted) keep(keeping, "");
      throw error;
    });
  return relay(context, incoming, { [MEMORY_HEADER]: told }, keeping && listenTo(incoming, keeping));
}

/** A copy of what passes, read when it is over. */
function listenTo({ statusCode = 0, headers }: IncomingMessage, keeping: Keeping): Listener {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return {
    piece(bytes) {
      size += bytes.length;
      if (size <= MOST_BYTES) pieces.push(bytes);
    },
    end(ending: Ending) {
      if (statusCode < 200 || statusCode >= 300) return;
      const isRead = ending === "whole" && size <= MOST_BYTES;
      const type = headers["content-type"] ?? "";
      const encoding = headers["content-encoding"] ?? "";
      keep(keeping, isRead ? answerOf({ bytes: Buffer.concat(pieces), type, encoding }) : "");
    },
  };
}

function keep(keeping: Keeping | undefined, assistant: string): void {
  if (keeping === undefined) return;
  const { recordings, memory, turn, user } = keeping;
  recordings.keep({ memory, turn, user, assistant });
}

/** What was found, or why there is nothing. */
async function recall(
  { req }: ServerContext,
  { options, server }: ProxyParts,
  memory: Memory,
  { chat, turn }: { readonly chat: ChatRequest; readonly turn: TurnState },
): Promise<Shown | "failed" | "skipped"> {
  if (chat.question === "") return "skipped";
  const late = AbortSignal.timeout(options.patienceMs);
  const signal = AbortSignal.any([req.raw.signal, late]);
  try {
    turn.shown = await Promise.race([shownFor(memory, chat, turn, { ...options, signal }), rejected(signal)]);
    return turn.shown;
  } catch (error) {
    if (!req.raw.signal.aborted) server.log(`The chat goes on without memory: ${reasonOf(error)}`);
    return "failed";
  }
}

async function shownFor(
  memory: Memory,
  chat: ChatRequest,
  { session, shown }: TurnState,
  { budget, limit, signal }: Pick<ChatOptions, "budget" | "limit"> & { readonly signal: AbortSignal },
): Promise<Shown> {
  if (chat.isContinued && shown !== undefined && !(await hasLost(memory, shown))) return shown;
  const { seq } = await memory.running().storage.feed.head();
  const asked = { session, talk: talkOf(chat), budget, limit, signal };
  const { stable, volatile, recalled } = await memory.context(shortenedQuestion(chat.question), asked);
  // Kept with the turn, so no more of it than is needed again.
  return { stable, volatile, hits: recalled.hits.map(({ content, text }) => ({ content, text })), seq };
}

/** Whether anything is gone since: what was erased is shown to nobody again. */
async function hasLost(memory: Memory, { seq }: Shown): Promise<boolean> {
  const gone = { operation: "entry-remove", after: seq, limit: 1 } as const;
  return (await memory.running().storage.events(memory.scope, gone)).length > 0;
}

/** Not everything that is under way looks at its signal. */
function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (): void =>
      reject(
        new MemoryError("request_timeout", "The memory did not answer in time, or nobody waits any more."),
      );
    if (signal.aborted) refuse();
    else signal.addEventListener("abort", refuse, { once: true });
  });
}

/** So much of the talk helps to understand the question. */
const TALK = 4;

function talkOf({ messages, asked }: ChatRequest): Line[] {
  return messages
    .slice(0, asked)
    .filter(({ role }) => role === "user" || role === "assistant")
    .map(({ role, content }) => ({ speaker: role, text: shortenedQuestion(wordsOf(content)), captions: [] }))
    .filter(({ text }) => text !== "")
    .slice(-TALK);
}

function sessionOf({ req }: ServerContext, { options: { sessionHeader } }: ProxyParts): string | undefined {
  const value = req.header(sessionHeader);
  if (value === undefined || value === "") return undefined;
  try {
    const session = decodeURIComponent(value);
    if (session.length <= LONGEST_SESSION && session.isWellFormed() && !/\p{Cc}/u.test(session))
      return session;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  throw new MemoryError(
    "input_invalid",
    `The header ${sessionHeader} is not readable. Valid: a session's name of at most ${LONGEST_SESSION} characters, percent-encoded where it is not ASCII.`,
  );
}

const LONGEST_SESSION = 256;

/** Who wants neither to be reminded nor to be remembered says so. */
function isOff({ req }: ServerContext): boolean {
  const value = req.header(MEMORY_HEADER);
  if (value === undefined || value === "off") return value === "off";
  throw new MemoryError(
    "input_invalid",
    `The header ${MEMORY_HEADER} is "${value.slice(0, 40)}". Valid: off, or no such header.`,
  );
}
