/** How far is it? On a terminal one line that is written over; elsewhere a line now and then, as a log wants it. */
import type { Output } from "./output.ts";

export interface Progress {
  /** So much more is done. */
  add(count: number): void;
  /** Makes room for another line; the next drawing comes below it. */
  clear(): void;
  end(): void;
}

const BAR = 24;
/** Between two drawings on a terminal, and between two lines of a log. */
const REDRAW_MS = 100;
const LOG_MS = 5000;

export function progressOn(stream: Output, total: number, unit: string): Progress {
  const isTerminal = stream.isTTY === true;
  const started = performance.now();
  let done = 0;
  let told = Number.NEGATIVE_INFINITY;
  let shown = -1;
  const tell = (): void => {
    told = performance.now();
    shown = done;
    const rate = (done * 1000) / Math.max(1, told - started);
    const figures = `${done}/${total} ${unit}, ${rate.toFixed(rate < 10 ? 1 : 0)}/s`;
    if (!isTerminal) stream.write(`${figures}\n`);
    else stream.write(`\r${bar(done, total)} ${figures}\u001b[K`);
  };
  return {
    add(count) {
      done += count;
      if (performance.now() - told >= (isTerminal ? REDRAW_MS : LOG_MS)) tell();
    },
    clear() {
      if (isTerminal) stream.write("\r\u001b[K");
    },
    end() {
      if (total === 0) return;
      if (isTerminal || shown !== done) tell();
      if (isTerminal) stream.write("\n");
    },
  };
}

function bar(done: number, total: number): string {
  const full = Math.round((BAR * Math.min(done, total)) / Math.max(1, total));
  return "█".repeat(full) + "░".repeat(BAR - full);
}
