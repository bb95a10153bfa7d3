/**
 * Ctrl-C while something long is under way. The first one lets the window that is being worked on end, so that nothing is
 * done twice, but not for ever: a model that hangs does not keep anybody. Where there is none it ends at once. The second
 * gives the window up, too, and the next run does it again; the third ends the process.
 */

/** So long a window may take to end. */
const PATIENCE_MS = 10_000;

export interface Interrupt {
  readonly signal: AbortSignal;
  /** From here on something is worked on. */
  begin(): void;
  /** Called where it is a good moment to stop. */
  stopHere(): void;
  end(): void;
}

export function onInterrupt(tell: () => void): Interrupt {
  const controller = new AbortController();
  let pressed = 0;
  let isAtWork = false;
  let patience: NodeJS.Timeout | undefined;
  const press = (): void => {
    pressed++;
    if (pressed === 1 && isAtWork) {
      tell();
      patience = setTimeout(() => controller.abort(), PATIENCE_MS);
    } else if (pressed <= 2) controller.abort();
    else process.exit(130);
  };
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) process.on(name, press);
  return {
    signal: controller.signal,
    begin() {
      isAtWork = true;
    },
    stopHere() {
      if (pressed > 0) controller.abort();
    },
    end() {
      clearTimeout(patience);
      for (const name of names) process.off(name, press);
    },
  };
}
