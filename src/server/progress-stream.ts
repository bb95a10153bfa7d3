/**
 * How far is a long call? Whoever asks for `text/event-stream` is told while it goes on: `progress` now and then, with how
 * many are done of how many (0: nobody knows), at the end `result` or `error`, as the reply would have had it. Only the newest
 * progress is kept for a reader that is slow.
 *
 * When the server is told to end, the call is finished and answered like any other that is under way.
 */
import type { Call } from "../operations/index.ts";
import { errorBody } from "./error-reply.ts";
import { eventStream, frame, HEARTBEAT, HEARTBEAT_MS, pause } from "./sse.ts";

/** Not more often than a person can read. */
const PROGRESS_MS = 100;

interface Streamed {
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Where an error is to be known that nobody meant. */
  readonly onError: (error: unknown) => void;
  run(call: Call): Promise<unknown>;
}

interface Progress {
  readonly done: number;
  readonly total: number;
}

type Ended = { readonly result: unknown } | { readonly error: unknown };

export function progressStream({ requestId, signal, onError, run }: Streamed): Response {
  return eventStream(
    async function* (gone) {
      const call = start(run, gone);
      let spoken = performance.now();
      while (!call.isOver()) {
        await call.pause(PROGRESS_MS);
        const progress = call.news();
        if (progress !== undefined) yield frame({ event: "progress", data: progress });
        else if (performance.now() - spoken < HEARTBEAT_MS) continue;
        else yield HEARTBEAT;
        spoken = performance.now();
      }
      const last = call.news();
      if (last !== undefined) yield frame({ event: "progress", data: last });
      yield lastFrame(await call.ended, requestId, onError);
    },
    [signal],
  );
}

interface Started {
  readonly ended: Promise<Ended>;
  isOver(): boolean;
  /** Shorter when it ends meanwhile. */
  pause(ms: number): Promise<void>;
  /** How far it is, if it has got further since it was asked last. */
  news(): Progress | undefined;
}

function start(run: Streamed["run"], gone: AbortSignal): Started {
  let progress: Progress | undefined;
  const over = new AbortController();
  const onProgress = (done: number, total: number): void => {
    progress = { done, total };
  };
  const ended = run({ signal: gone, onProgress })
    .then((result): Ended => ({ result }))
    .catch((error: unknown): Ended => ({ error }))
    .finally(() => over.abort());
  return {
    ended,
    isOver: () => over.signal.aborted || gone.aborted,
    pause: (ms) => pause(ms, AbortSignal.any([over.signal, gone])),
    news() {
      const newest = progress;
      progress = undefined;
      return newest;
    },
  };
}

function lastFrame(ended: Ended, requestId: string, onError: (error: unknown) => void): string {
  if ("result" in ended) return frame({ event: "result", data: ended.result });
  onError(ended.error);
  return frame({ event: "error", data: errorBody(ended.error, requestId) });
}
