/**
 * How far is it, and how long will it take? On a terminal one line that is written over; elsewhere a line now and then, as a log
 * wants it. The time left is what the caller says, who may know that some steps take longer than others, else it follows from
 * the rate so far.
 */
import type { Output } from "./output.ts";

export interface Progress {
  /** So much more is done. */
  add(count: number): void;
  /** So much is done of so much, and so many milliseconds are left, where that is known. */
  reach(done: number, total: number, leftMs: number | undefined): void;
  /** Makes room for another line; the next drawing comes below it. */
  clear(): void;
  end(): void;
}

const BAR = 24;
/** Between two drawings on a terminal, and between two lines of a log. */
const REDRAW_MS = 100;
const LOG_MS = 5000;
/** A rate is none before so much time has passed. */
const FIRST_GUESS_MS = 2000;

export function progressOn(
  stream: Output,
  all: number,
  unit: string,
  leftText: (time: string) => string,
): Progress {
  const isTerminal = stream.isTTY === true;
  const started = performance.now();
  let [done, total] = [0, all];
  let told = Number.NEGATIVE_INFINITY;
  let shown = -1;
  let left: number | undefined;
  let isToldLeft = false;
  const tell = (): void => {
    told = performance.now();
    shown = done;
    const passed = told - started;
    const rate = (done * 1000) / Math.max(1, passed);
    const guessed = done > 0 && passed >= FIRST_GUESS_MS ? ((total - done) / done) * passed : undefined;
    const ahead = isToldLeft ? left : guessed;
    const rest = ahead === undefined || done >= total ? "" : `, ${leftText(clockTime(ahead))}`;
    const figures = `${done}/${total} ${unit}, ${rate.toFixed(rate < 10 ? 1 : 0)}/s${rest}`;
    if (!isTerminal) stream.write(`${figures}\n`);
    else stream.write(`\r${bar(done, total)} ${figures}\u001b[K`);
  };
  const tellSometimes = (): void => {
    if (performance.now() - told >= (isTerminal ? REDRAW_MS : LOG_MS)) tell();
  };
  return {
    add(count) {
      done += count;
      tellSometimes();
    },
    reach(now, of, leftMs) {
      [done, total, left, isToldLeft] = [now, of, leftMs, true];
      tellSometimes();
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

/** 65 000 → "1:05"; an hour and more as "1:00:00". */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
