/**
 * How does something that runs for ever end? SIGTERM or Ctrl-C asks it to; it then has so long to end well. Whoever asks a
 * second time wants it gone at once, and so it is when its time is over: what was acknowledged is on disk.
 */
import { ERROR_KINDS } from "../base/errors.ts";

export interface UntilTold {
  /** When somebody has asked. */
  readonly told: Promise<void>;
  /** It has ended well. */
  end(): void;
}

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
  return {
    told: promise,
    end() {
      clearTimeout(patience);
      // Between the end of the work and that of the process, somebody may ask again.
      if (isTold) return;
      process.off("SIGINT", ask);
      process.off("SIGTERM", ask);
    },
  };
}
