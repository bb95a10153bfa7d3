/** The most recently used of many: a map that forgets the longest unused beyond its limit. */

export interface Lru<Key, Value> {
  /** What is kept for the key, or what `make` makes and is kept from now on. */
  get(key: Key, make: () => Value): Value;
  clear(): void;
}

export function createLru<Key, Value>(limit: number): Lru<Key, Value> {
  /** In order of last use: a map keeps the order of insertion. */
  const kept = new Map<Key, Value>();
  return {
    get(key, make) {
      const value = kept.get(key) ?? make();
      kept.delete(key);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
      return value;
    },
    clear: () => kept.clear(),
  };
}
