/** What a file of talk holds, whatever its format. */
import type { NewTurn } from "../../base/turn.ts";

export interface Conversation {
  /** As its file names it; "" where a file holds one only. */
  readonly name: string;
  readonly turns: readonly NewTurn[];
}

/** What can be read as talk or as memories that somebody judged. */
export const TALK_FORMATS = [
  "text",
  "jsonl",
  "locomo",
  "chatgpt",
  "claude",
  "mem0",
  "server-memory",
] as const;
export type TalkFormat = (typeof TALK_FORMATS)[number];

/** A bundle is not read but taken in as it is. */
export const FORMATS = [...TALK_FORMATS, "bundle"] as const;

/** Where a turn's metadata says what it is called where it came from: it is known again by that, whatever became of it. */
export const SOURCE_ID = "source_id";
