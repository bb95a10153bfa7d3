/**
 * How does something that runs for ever end? SIGTERM or Ctrl-C asks it to; it then has so long to end well. Whoever asks a
 * second time wants it gone at once, and so it is when its time is over: what was acknowledged is on disk.
 *
 * npm hands a signal to the shell between, which dies of it and tells nobody. So where npm started us, that this shell is gone is
 * taken for being asked.
 */
import { ERROR_KINDS } from "../base/errors.ts";

export interface UntilTold {
  /** When somebody has asked. */
  readonly told: Promise<void>;
  /** It has ended well. */
  end(): void;
}

/** How often it looks whether the shell is still there. */
const LOOKS_MS = 500;
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

export function untilTold(
  graceMs: number,
  tell: { readonly asked: () => void; readonly late: () => void },
): UntilTold {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isTold = false;
  let patience: NodeJS.Timeout | undefined;
  const ask = (signal: keyof typeof SIGNALS): void => {
    if (isTold) process.exit(SIGNALS[signal]);
    isTold = true;
    patience = setTimeout(() => {
      tell.late();
      process.exit(ERROR_KINDS.request_timeout.exit);
    }, graceMs);
    tell.asked();
    resolve();
  };
  process.on("SIGINT", ask);
  process.on("SIGTERM", ask);
  const parent = process.ppid;
  const orphaned =
    process.env.npm_lifecycle_event === undefined
      ? undefined
      : setInterval(() => {
          if (process.ppid === parent) return;
          clearInterval(orphaned);
          if (!isTold) ask("SIGTERM");
        }, LOOKS_MS).unref();
  return {
    told: promise,
    end() {
      clearTimeout(patience);
      clearInterval(orphaned);
      // Between the end of the work and that of the process, somebody may ask again.
      if (isTold) return;
      process.off("SIGINT", ask);
      process.off("SIGTERM", ask);
    },
  };
}
