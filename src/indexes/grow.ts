/** How does a typed array get longer? Not at all: a longer copy takes its place, at least doubling, so n appends cost O(n). */

interface Numbers extends ArrayLike<number> {
  set(from: ArrayLike<number>): void;
}

/** `array` itself if it holds `length` elements, else a longer copy with zeros at the end. */
export function grow<T extends Numbers>(array: T, length: number, make: (length: number) => T): T {
  if (array.length >= length) return array;
  const longer = make(Math.max(length, 2 * array.length, 16));
  longer.set(array);
  return longer;
}
