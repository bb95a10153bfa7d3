/** The journal through a design, with progress, and with a clean end on Ctrl-C. */
import { MemoryError } from "../base/errors.ts";
import type { Derived, DeriveOptions } from "../runtime/derive.ts";
import { onInterrupt } from "./interrupt.ts";
import type { Terminal } from "./terminal.ts";

const STOPPING = {
  en: "Stopping after this window; the same command goes on later. Ctrl-C again: at once.",
  zh: "本窗口完成后停止；以后用同一命令继续。再按 Ctrl-C 立即停止。",
};
const STOPPED = {
  en: "Stopped. What was said is in the journal; the same command goes on from here.",
  zh: "已停止。原话都在日志里；用同一命令即可继续。",
};
const UNIT = { en: "turns", zh: "轮对话" };

/** What was taken up before it was stopped or failed stays taken up. */
export async function takeUp(
  terminal: Terminal,
  total: number,
  run: (options: Pick<DeriveOptions, "signal" | "onWindow">) => Promise<Derived>,
): Promise<Derived> {
  const progress = terminal.progress(total, UNIT);
  const interrupt = onInterrupt(() => terminal.note(terminal.text(STOPPING)));
  try {
    return await run({
      signal: interrupt.signal,
      onWindow({ turns }) {
        progress.add(turns.length);
        interrupt.stopHere();
      },
    });
  } catch (error) {
    if (MemoryError.is(error) && error.code === "aborted")
      throw new MemoryError("aborted", terminal.text(STOPPED), { cause: error });
    if (MemoryError.is(error) && error.retryable) terminal.note(terminal.text(STOPPED));
    throw error;
  } finally {
    progress.end();
    interrupt.end();
  }
}
