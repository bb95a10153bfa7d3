/** Something long in the laboratory: its progress with the time left, and an end on Ctrl-C after which the same command goes on. */
import { MemoryError } from "../base/errors.ts";
import type { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";
import { stoppable } from "./underway.ts";
import type { Words } from "./words.ts";

const STOPPED = {
  en: "Stopped. What is done is kept; the same command goes on from here.",
  zh: "已停止。已完成的都保留；用同一命令即可继续。",
};

export interface BenchUnderway {
  readonly signal: AbortSignal;
  /** So much is done of so much, and so many milliseconds are left, where that is known. */
  reach(done: number, total: number, leftMs?: number | undefined): void;
}

export async function benchUnderway<T>(
  terminal: Terminal,
  unit: Words,
  run: (way: BenchUnderway) => Promise<T>,
): Promise<T> {
  let progress: Progress | undefined;
  try {
    return await stoppable((signal) =>
      run({
        signal,
        reach(done, total, leftMs) {
          progress ??= terminal.progress(total, unit);
          progress.reach(done, total, leftMs);
        },
      }),
    );
  } catch (error) {
    if (MemoryError.is(error) && error.code === "aborted")
      throw new MemoryError("aborted", terminal.text(STOPPED), { cause: error });
    throw error;
  } finally {
    progress?.end();
  }
}
