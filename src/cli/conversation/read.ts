/** A file of talk, read: the whole of it, or one of the conversations that it holds. */
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { validNames } from "../../base/nearest-name.ts";
import { readLocomo } from "../../lab/datasets/locomo-conversations.ts";
import { readChatGpt } from "./chatgpt.ts";
import { readClaude } from "./claude.ts";
import type { Conversation, TalkFormat } from "./conversation.ts";
import { formatOf } from "./format.ts";
import { isBundleText } from "./is-bundle.ts";
import { readJsonl } from "./jsonl.ts";
import { readMem0 } from "./mem0.ts";
import { readPlainText } from "./plain-text.ts";
import { readServerMemory } from "./server-memory.ts";

export interface ReadOptions {
  readonly format?: TalkFormat | undefined;
  /** Which of the conversations of a file that holds several. */
  readonly conversation?: string | undefined;
  /** Who the user is, in an export of chats, which names nobody. @default User */
  readonly user?: string | undefined;
}

/** Formats of an account: all its chats belong to one person, and come together unless one is asked for. */
const TOGETHER: ReadonlySet<TalkFormat> = new Set(["chatgpt", "claude"]);

export async function readConversation(
  file: string,
  { format, conversation, user = "User" }: ReadOptions = {},
): Promise<Conversation & { readonly format: TalkFormat }> {
  const text = (await readText(file)).replace(/^\uFEFF/, "");
  if (format === undefined && isBundleText(text)) throw isBundle(file);
  const whole = tryJson(text);
  const chosen = format ?? formatOf(text, whole, file);
  const all = conversationsIn(chosen, { text, whole, file, user });
  const isTogether = conversation === undefined && TOGETHER.has(chosen);
  const found = isTogether
    ? { name: "", turns: all.flatMap(({ turns }) => turns) }
    : choose(all, conversation, file);
  if (found.turns.length > 0) return { ...found, format: chosen };
  throw new MemoryError("input_invalid", `Nothing is said in ${file}. Valid: a file with a turn at least.`);
}

interface Read {
  readonly text: string;
  /** As one JSON value, if it is one. */
  readonly whole: unknown;
  readonly file: string;
  readonly user: string;
}

function conversationsIn(format: TalkFormat, { text, whole, file, user }: Read): Conversation[] {
  const name = basename(file, extname(file));
  switch (format) {
    case "text":
      return [readPlainText(text, file, name)];
    case "jsonl":
      return [readJsonl(text, file, name)];
    case "locomo":
      return readLocomo(whole, file);
    case "chatgpt":
      return readChatGpt(whole, file, user);
    case "claude":
      return readClaude(whole, file, user);
    case "mem0":
      return readMem0(text, whole, file, name);
    case "server-memory":
      return readServerMemory(text, whole, file, name);
  }
}

function isBundle(file: string): MemoryError {
  return new MemoryError(
    "input_invalid",
    `${file} is a bundle of a memory, not talk. Valid: neuromem import ${file}; here, a file of talk.`,
  );
}

function choose(all: readonly Conversation[], wanted: string | undefined, file: string): Conversation {
  const [only] = all;
  if (wanted === undefined && all.length === 1 && only !== undefined) return only;
  const found = all.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  const names = all.map(({ name }) => name).filter((name) => name !== "");
  const what =
    wanted === undefined
      ? `${file} holds ${all.length} conversations; --conversation says which.`
      : `${file} has no conversation "${wanted}".`;
  throw new MemoryError("input_invalid", `${what} ${validNames(wanted ?? "", names)}`);
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new MemoryError(
      "input_invalid",
      `The file ${file} could not be read. Valid: the path of a text file.`,
      {
        cause,
      },
    );
  }
}
