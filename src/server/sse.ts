/**
 * How are events sent while they happen? As server-sent events (text/event-stream): frames of plain text, made by a generator
 * that is asked for the next only when the last was taken. So a slow reader holds one frame, and never all of them. When the
 * reader goes away, the signal that the generator was given is aborted and the generator ended.
 */
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Proxies that gather answers would hold events back.
  "x-accel-buffering": "no",
};

/** How often a stream that has nothing to say shows that it lives. */
export const HEARTBEAT_MS = 15_000;
export const HEARTBEAT = ": still here\n\n";

export interface Frame {
  readonly event: string;
  /** Where a reader that was cut off goes on. */
  readonly id?: number | undefined;
  readonly data: unknown;
}

/** JSON has no line breaks of its own, so the data is one line. */
export function frame({ event, id, data }: Frame): string {
  const place = id === undefined ? "" : `id: ${id}\n`;
  return `${place}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function acceptsEvents(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes("text/event-stream") ?? false;
}

/** Ends when the generator ends, when the reader goes, or when `ending` says so, whichever comes first. */
export function eventStream(
  frames: (ended: AbortSignal) => AsyncGenerator<string, void>,
  ending: readonly AbortSignal[],
): Response {
  const gone = new AbortController();
  const source = frames(AbortSignal.any([gone.signal, ...ending]));
  return streamOf(source, HEADERS, () => gone.abort());
}

/** A body that is written as it is read. An error in the middle breaks the connection off: nobody takes a half for the whole. */
export function streamOf(
  source: AsyncIterator<string, void>,
  headers: Readonly<Record<string, string>>,
  onGone: () => void = () => undefined,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        onGone();
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}

/** Resolves after so long, or at once when the signal is aborted; no timer stays behind. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
