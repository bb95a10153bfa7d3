/**
 * The k best of a stream, in O(n log k) with no allocation per item: a binary min-heap over two typed arrays
 * (Knuth, TAOCP vol. 3, §5.2.3). Equal scores are settled by `earlier`, so the answer never depends on arrival order.
 */

export interface TopK {
  /** The score a newcomer must reach to matter; −∞ until k items are held. */
  threshold(): number;
  push(item: number, score: number): void;
  /** The held items, best first. The heap is empty afterwards. */
  drain(): { readonly items: Int32Array; readonly scores: Float64Array };
}

/** `earlier(a, b)`: whether item a goes before item b when their scores are equal. */
export function createTopK(k: number, earlier: (a: number, b: number) => boolean): TopK {
  const items = new Int32Array(k);
  const scores = new Float64Array(k);
  let size = 0;

  const worse = (a: number, b: number): boolean => {
    const difference = at(scores, a) - at(scores, b);
    return difference < 0 || (difference === 0 && earlier(at(items, b), at(items, a)));
  };
  const swap = (a: number, b: number): void => {
    const item = at(items, a);
    const score = at(scores, a);
    items[a] = at(items, b);
    scores[a] = at(scores, b);
    items[b] = item;
    scores[b] = score;
  };
  const siftUp = (start: number): void => {
    let child = start;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!worse(child, parent)) return;
      swap(child, parent);
      child = parent;
    }
  };
  const siftDown = (): void => {
    let parent = 0;
    for (;;) {
      let worst = parent;
      const left = 2 * parent + 1;
      if (left < size && worse(left, worst)) worst = left;
      if (left + 1 < size && worse(left + 1, worst)) worst = left + 1;
      if (worst === parent) return;
      swap(worst, parent);
      parent = worst;
    }
  };

  return {
    threshold: () => (size < k || k === 0 ? Number.NEGATIVE_INFINITY : at(scores, 0)),
    push(item, score) {
      if (size < k) {
        items[size] = item;
        scores[size] = score;
        size++;
        siftUp(size - 1);
      } else if (
        k > 0 &&
        (score > at(scores, 0) || (score === at(scores, 0) && earlier(item, at(items, 0))))
      ) {
        items[0] = item;
        scores[0] = score;
        siftDown();
      }
    },
    drain() {
      const count = size;
      while (size > 1) {
        size--;
        swap(0, size);
        siftDown();
      }
      size = 0;
      return { items: items.slice(0, count), scores: scores.slice(0, count) };
    },
  };
}

/** An element that is known to be there. */
function at(array: Int32Array | Float64Array, index: number): number {
  return array[index] as number;
}
