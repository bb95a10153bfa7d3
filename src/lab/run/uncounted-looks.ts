/** The same storage, which can be told to let looks go by: a question must not change what the next one finds. */
import type { Storage } from "../../storage/storage.ts";

export interface Looks {
  areCounted: boolean;
}

export function uncountedLooks(storage: Storage, looks: Readonly<Looks>): Storage {
  return {
    ...storage,
    async commit(scope, writes, cause, options) {
      const kept = looks.areCounted ? writes : writes.filter(({ op }) => op !== "entry-touch");
      if (kept.length > 0 || writes.length === 0) return storage.commit(scope, kept, cause, options);
      const { seq } = await storage.feed.head();
      return { previous: seq, seq, turns: [] };
    },
  };
}
