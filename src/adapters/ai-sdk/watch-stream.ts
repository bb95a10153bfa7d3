/**
 * The same stream, part for part, as fast as it is read; with somebody who sees what passes and how it ends. The end is
 * handed on when he has done with it, so that a program which leaves when the stream ends leaves nothing half kept.
 */

export interface Watcher<Part> {
  /** What is handed on in its place; the part itself, but for what must be told in it. */
  see(part: Part): Part;
  /** All was read. */
  end(): Promise<void>;
  /** It broke, or nobody wants the rest. */
  fail(): Promise<void>;
}

export function watchStream<Part>(
  stream: ReadableStream<Part>,
  watcher: Watcher<Part>,
): ReadableStream<Part> {
  const reader = stream.getReader();
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        let next: Awaited<ReturnType<typeof reader.read>>;
        try {
          next = await reader.read();
        } catch (error) {
          await watcher.fail();
          controller.error(error);
          return;
        }
        if (!next.done) {
          controller.enqueue(watcher.see(next.value));
          return;
        }
        await watcher.end();
        controller.close();
      },
      async cancel(reason) {
        await Promise.all([reader.cancel(reason), watcher.fail()]);
      },
    },
    // Nothing is read ahead of who reads.
    { highWaterMark: 0 },
  );
}
