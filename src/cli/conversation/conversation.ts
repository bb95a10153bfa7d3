/** What a file of talk holds, whatever its format. */
import type { NewTurn } from "../../base/turn.ts";

export interface Conversation {
  /** As its file names it; "" where a file holds one only. */
  readonly name: string;
  readonly turns: readonly NewTurn[];
}

export const FORMATS = ["text", "jsonl", "locomo"] as const;
export type Format = (typeof FORMATS)[number];
