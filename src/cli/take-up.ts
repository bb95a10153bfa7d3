/** The journal through a design, with progress, with a clean end on Ctrl-C, and while no other process is at it. */
import type { Derived, DeriveOptions } from "../runtime/derive.ts";
import type { OpenMemory } from "./open-memory.ts";
import type { Terminal } from "./terminal.ts";
import { TURNS, underway } from "./underway.ts";

export const WAITING = {
  en: "Another process works on this memory just now; this one waits for it.",
  zh: "另一个进程正在处理这份记忆；等它完成。",
};

export interface TakingUp {
  /** How many turns it will be; asked when the work begins. */
  total(): Promise<number>;
  run(options: Pick<DeriveOptions, "signal" | "onWindow">): Promise<Derived>;
}

/** What was taken up before it was stopped or failed stays taken up. */
export function takeUp(
  { worker, scope }: OpenMemory,
  terminal: Terminal,
  { total, run }: TakingUp,
): Promise<Derived> {
  return underway(terminal, TURNS, (way) =>
    worker.alone(
      scope,
      way.signal,
      async (signal) => {
        way.begin(await total());
        return run({ signal, onWindow: ({ turns }) => way.done(turns.length) });
      },
      () => terminal.note(terminal.text(WAITING)),
    ),
  );
}
