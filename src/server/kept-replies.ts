/**
 * Which answers are given again? Those to requests that were done under a key, while there is room: by number, by size and by
 * age, the oldest go first. One that is under way has its place already, so that whoever asks meanwhile waits for it; it
 * makes room for nobody, or it would be done a second time beside itself.
 */
import type { Clock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

interface Kept {
  /** Of what was asked. */
  readonly print: string;
  readonly at: number;
  /** undefined: nothing came of it; who waited does it himself. */
  readonly reply: Promise<Reply | undefined>;
  /** undefined: it is under way. */
  bytes?: number;
}

export type Done = { readonly isReplay: true; readonly reply: Reply } | { readonly isReplay: false };

export interface Replies {
  /** Runs it, unless it was done or is being done in this place. */
  once(place: string, print: string, run: () => Promise<Reply | undefined>): Promise<Done>;
}

const MOST = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;
const DAY_MS = 86_400_000;

export function createReplies(clock: Clock): Replies {
  /** Oldest first: a map keeps the order of insertion. */
  const kept = new Map<string, Kept>();
  let bytes = 0;

  const drop = (place: string): void => {
    bytes -= kept.get(place)?.bytes ?? 0;
    kept.delete(place);
  };
  const makeRoom = (): void => {
    for (const [place, { at, bytes: size }] of kept) {
      if (kept.size <= MOST && bytes <= MOST_BYTES && at > clock.now() - DAY_MS) return;
      if (size !== undefined) drop(place);
    }
  };

  return {
    async once(place, print, run) {
      makeRoom();
      for (let known = kept.get(place); known !== undefined; known = kept.get(place)) {
        if (known.print !== print) throw conflict();
        const reply = await known.reply;
        if (reply !== undefined) return { isReplay: true, reply };
      }
      const { promise, resolve } = Promise.withResolvers<Reply | undefined>();
      const mine: Kept = { print, at: clock.now(), reply: promise };
      kept.set(place, mine);
      let reply: Reply | undefined;
      try {
        reply = await run();
        return { isReplay: false };
      } finally {
        if (reply === undefined) drop(place);
        else {
          mine.bytes = reply.body.byteLength;
          bytes += mine.bytes;
          makeRoom();
        }
        resolve(reply);
      }
    },
  };
}

function conflict(): MemoryError {
  return new MemoryError(
    "idempotency_conflict",
    "This idempotency key was used for another request. Valid: a new key for a new request, or the same body again.",
  );
}
