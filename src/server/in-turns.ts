/**
 * Who is served next? Calls begin in the order in which they came, one in a turn of the event loop. The engine works without a
 * pause once it has begun, and the loop takes one new connection per turn: if all calls that are there began in the same
 * turn, whoever connects meanwhile would wait for all of them over and over again, and so would a look at /health. A call
 * that waits for something (a model, a window) holds nobody up.
 */
import type { MiddlewareHandler } from "hono";
import type { ServerEnv } from "./server.ts";

export function inTurns(): MiddlewareHandler<ServerEnv> {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
  return async (_, work) => {
    await turn();
    await work();
  };
}
