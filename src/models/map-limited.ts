/** Many items, few at a time, results in the items' order. The first failure stops the rest and is what the caller sees. */
import { throwIfAborted } from "./abort.ts";

export async function mapLimited<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item, signal: AbortSignal, index: number) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result[]> {
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const results: Result[] = new Array(items.length);
  const queue = items.entries();
  let first: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      try {
        throwIfAborted(either, "The work");
        results[index] = await work(item, either, index);
      } catch (error) {
        first ??= { error };
        failed.abort(error);
        return;
      }
    }
  };
  // All workers have ended before a failure is told, so nothing goes on behind the caller's back.
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  if (first !== undefined) throw first.error;
  return results;
}
