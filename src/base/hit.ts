/** An entry that was found, and why: its score and the named parts the score is made of (C-18). */
import type { Entry } from "./entry.ts";

export interface Hit extends Entry {
  readonly score: number;
  readonly scoreParts: Readonly<Record<string, number>>;
}
