/** The journal through a design, with progress, with a clean end on Ctrl-C, and while no other process is at it. */
import { MemoryError } from "../base/errors.ts";
import type { Derived, DeriveOptions } from "../runtime/derive.ts";
import { onInterrupt } from "./interrupt.ts";
import type { OpenMemory } from "./open-memory.ts";
import type { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

const STOPPING = {
  en: "Stopping after this window; the same command goes on later. Ctrl-C again: at once.",
  zh: "本窗口完成后停止；以后用同一命令继续。再按 Ctrl-C 立即停止。",
};
const STOPPED = {
  en: "Stopped. What was said is in the journal; the same command goes on from here.",
  zh: "已停止。原话都在日志里；用同一命令即可继续。",
};
export const WAITING = {
  en: "Another process works on this memory just now; this one waits for it.",
  zh: "另一个进程正在处理这份记忆；等它完成。",
};
const UNIT = { en: "turns", zh: "轮对话" };

export interface TakingUp {
  /** How many turns it will be; asked when the work begins. */
  total(): Promise<number>;
  run(options: Pick<DeriveOptions, "signal" | "onWindow">): Promise<Derived>;
}

/** What was taken up before it was stopped or failed stays taken up. */
export async function takeUp(
  { worker, scope }: OpenMemory,
  terminal: Terminal,
  { total, run }: TakingUp,
): Promise<Derived> {
  const interrupt = onInterrupt(() => terminal.note(terminal.text(STOPPING)));
  let progress: Progress | undefined;
  try {
    return await worker.alone(
      scope,
      interrupt.signal,
      async (signal) => {
        interrupt.begin();
        progress = terminal.progress(await total(), UNIT);
        return run({
          signal,
          onWindow({ turns }) {
            progress?.add(turns.length);
            interrupt.stopHere();
          },
        });
      },
      () => terminal.note(terminal.text(WAITING)),
    );
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
