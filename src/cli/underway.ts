/** Something long: its progress, and a clean end on Ctrl-C. What was done before it was stopped or failed stays done. */
import { MemoryError } from "../base/errors.ts";
import { onInterrupt } from "./interrupt.ts";
import type { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";
import type { Words } from "./words.ts";

const STOPPING = {
  en: "Stopping after this window, in ten seconds at most; the same command goes on later. Ctrl-C again: at once.",
  zh: "本窗口完成后停止（最多十秒）；以后用同一命令继续。再按 Ctrl-C 立即停止。",
};
const STOPPED = {
  en: "Stopped. What was said is in the journal; the same command goes on from here.",
  zh: "已停止。原话都在日志里；用同一命令即可继续。",
};
export const WAITING = {
  en: "Another process works on this memory just now; this one waits for it.",
  zh: "另一个进程正在处理这份记忆；等它完成。",
};
export const TURNS = { en: "turns", zh: "轮对话" };

export interface Underway {
  readonly signal: AbortSignal;
  /** From here on something is worked on, so much of it. */
  begin(total: number): void;
  /** So much more is done, and here it could be stopped. */
  done(count: number): void;
}

export async function underway<T>(
  terminal: Terminal,
  unit: Words,
  run: (way: Underway) => Promise<T>,
): Promise<T> {
  const interrupt = onInterrupt(() => terminal.note(terminal.text(STOPPING)));
  let progress: Progress | undefined;
  try {
    return await run({
      signal: interrupt.signal,
      begin(total) {
        interrupt.begin();
        progress = terminal.progress(total, unit);
      },
      done(count) {
        progress?.add(count);
        interrupt.stopHere();
      },
    });
  } catch (error) {
    if (MemoryError.is(error) && error.code === "aborted")
      throw new MemoryError("aborted", terminal.text(STOPPED), { cause: error });
    if (MemoryError.is(error) && error.retryable) terminal.note(terminal.text(STOPPED));
    throw error;
  } finally {
    progress?.end();
    interrupt.end();
  }
}

/** A single step that Ctrl-C ends at once. */
export async function stoppable<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = onInterrupt(() => undefined);
  try {
    return await run(interrupt.signal);
  } finally {
    interrupt.end();
  }
}
