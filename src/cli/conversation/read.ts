/** Which format is a file in? Its content tells, unless somebody says so. */
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { validNames } from "../../base/nearest-name.ts";
import type { Conversation, Format } from "./conversation.ts";
import { readJsonl } from "./jsonl.ts";
import { readLocomo } from "./locomo.ts";
import { readPlainText } from "./plain-text.ts";

export interface ReadOptions {
  readonly format?: Format | undefined;
  /** Which of the conversations of a file that holds several. */
  readonly conversation?: string | undefined;
}

export async function readConversation(
  file: string,
  { format, conversation }: ReadOptions = {},
): Promise<Conversation & { readonly format: Format }> {
  const text = (await readText(file)).replace(/^\uFEFF/, "");
  const whole = tryJson(text);
  const chosen = format ?? detect(text, whole);
  const name = basename(file, extname(file));
  const found = choose(conversations(chosen), conversation, file);
  if (found.turns.length > 0) return { ...found, format: chosen };
  throw new MemoryError("input_invalid", `Nothing is said in ${file}. Valid: a file with a turn at least.`);

  function conversations(one: Format): Conversation[] {
    if (one === "text") return [readPlainText(text, file, name)];
    if (one === "jsonl") return [readJsonl(text, file, name)];
    return readLocomo(whole, file);
  }
}

function detect(text: string, whole: unknown): Format {
  const [first] = Array.isArray(whole) ? whole : [whole];
  if (typeof first === "object" && first !== null && "conversation" in first) return "locomo";
  return text.trimStart().startsWith("{") ? "jsonl" : "text";
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
