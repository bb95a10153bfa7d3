/** Which format is a file in? Its content tells; where it does not, what was seen is said, and what would be read. */
import { MemoryError } from "../../base/errors.ts";
import { FORMATS, type TalkFormat } from "./conversation.ts";

/** `whole`: the file as one JSON value, if it is one. */
export function formatOf(text: string, whole: unknown, file: string): TalkFormat {
  const start = text.trimStart();
  if (text.startsWith("PK\u0003\u0004")) throw isArchive(file);
  const value = whole ?? firstLine(start);
  if (value === undefined) {
    // "[2023-05-08 13:56] Mia: …" is talk.
    if (/^\[\s*(?:["{[]|$)/.test(start)) throw unknownFormat(file, "JSON that is cut or broken");
    return start.startsWith("{") ? "jsonl" : "text";
  }
  const first = Array.isArray(value) ? value[0] : value;
  if (Array.isArray(value) && value.length === 0) throw unknownFormat(file, "an empty list");
  if (typeof first !== "object" || first === null) return "text";
  const found = formatOfKeys(first, whole !== undefined && Array.isArray(whole));
  if (found !== undefined) return found;
  const keys = Object.keys(first).slice(0, 8);
  throw unknownFormat(
    file,
    `${Array.isArray(value) ? "a list of objects" : "an object"} with ${keys.join(", ")}`,
  );
}

function formatOfKeys(first: object, isInList: boolean): TalkFormat | undefined {
  if ("mapping" in first) return "chatgpt";
  if ("chat_messages" in first) return "claude";
  if ("conversation" in first) return "locomo";
  if ("memory" in first) return "mem0";
  if ("results" in first || "memories" in first) return "mem0";
  if ("entities" in first) return "server-memory";
  if ("type" in first && (first.type === "entity" || first.type === "relation")) return "server-memory";
  // A line with a wrong key is told by its line.
  return isInList ? undefined : "jsonl";
}

function firstLine(start: string): unknown {
  const [line = ""] = start.split("\n", 1);
  try {
    return line.startsWith("{") ? JSON.parse(line) : undefined;
  } catch {
    return undefined;
  }
}

function isArchive(file: string): MemoryError {
  return new MemoryError(
    "input_invalid",
    `${file} is a zip archive. Valid: the file in it; unzip -p ${file} conversations.json > conversations.json gives it.`,
  );
}

function unknownFormat(file: string, seen: string): MemoryError {
  return new MemoryError(
    "input_invalid",
    `${file} is in no format that is known here: it is ${seen}. Valid: ${FORMATS.join(", ")}; --format says which where the content misleads.`,
  );
}
