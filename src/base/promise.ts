/** Asynchronous at the seams, synchronous inside: an in-process implementation may answer at once. */

export type MaybePromise<T> = T | Promise<T>;

/** Runs tasks one after another, in the order they were asked for; a failed task does not stop the next. */
export function createQueue(): <T>(task: () => MaybePromise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = tail.then(task);
    tail = result.catch(() => undefined);
    return result;
  };
}
