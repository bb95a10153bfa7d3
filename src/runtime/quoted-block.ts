/** Recalled lines between marks, as many as there is room for: what is too long is passed over for what still fits. */
import { markRecalled } from "../text/recalled-marks.ts";
import { estimateTokens } from "../text/token-count.ts";

export interface QuotedBlock {
  /** "" if no line fits. */
  readonly text: string;
  /** The places of the lines that are in it. */
  readonly kept: readonly number[];
}

export interface QuoteOptions {
  /** Most tokens of the whole, marks among them. */
  readonly budget: number;
  /** How the line at a place of the block is written. */
  print(line: string, place: number): string;
}

export function quotedBlock(lines: readonly string[], { budget, print }: QuoteOptions): QuotedBlock {
  const write = (places: readonly number[]): string =>
    markRecalled(places.map((at, place) => print(lines[at] ?? "", place)).join("\n"));
  let room = budget - estimateTokens(markRecalled(""));
  let kept: readonly number[] = [];
  for (const [at, line] of lines.entries()) {
    const cost = estimateTokens(print(line, kept.length)) + 1;
    if (cost > room) continue;
    room -= cost;
    kept = [...kept, at];
  }
  // Counted line by line it may be off by a little.
  while (kept.length > 0 && estimateTokens(write(kept)) > budget) kept = kept.slice(0, -1);
  return { text: kept.length === 0 ? "" : write(kept), kept };
}
