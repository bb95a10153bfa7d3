/**
 * Ctrl-C while something long is under way. The first one lets the window that is being worked on end, so that nothing is
 * done twice; where there is none it ends at once. The second gives that up, too, and the next run does the window again;
 * the third ends the process.
 */

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
  const press = (): void => {
    pressed++;
    if (pressed === 1 && isAtWork) tell();
    else if (pressed <= 2) controller.abort();
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
      for (const name of names) process.off(name, press);
    },
  };
}
