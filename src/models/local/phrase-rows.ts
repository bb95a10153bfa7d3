/**
 * Which rows of a static table does a list of token ids stand for? The longest known phrase from the left, else the token
 * itself: one walk through a trie whose edges are keyed by node and token in a single map.
 */

/** Ids of a vocabulary fit in 16 bits, so a node and an id fit in one safe integer. */
const ID_RANGE = 65_536;

export interface PhraseRows {
  /** Calls `visit` with each row, in the order of the text; tokens without a row are skipped. */
  forEach(ids: readonly number[], visit: (row: number) => void): void;
}

export function phraseRows(
  rowOfToken: Int32Array,
  phrases: readonly (readonly number[])[],
  firstPhraseRow: number,
): PhraseRows {
  const edges = new Map<number, number>();
  const rowOfNode: number[] = [-1];
  phrases.forEach((ids, phrase) => {
    let node = 0;
    for (const id of ids) {
      const key = node * ID_RANGE + id;
      let next = edges.get(key);
      if (next === undefined) {
        next = rowOfNode.length;
        rowOfNode.push(-1);
        edges.set(key, next);
      }
      node = next;
    }
    rowOfNode[node] = firstPhraseRow + phrase;
  });

  return {
    forEach(ids, visit) {
      for (let start = 0; start < ids.length; ) {
        let row = rowOfToken[ids[start] as number] ?? -1;
        let end = start + 1;
        if (edges.size > 0) {
          let node: number | undefined = 0;
          for (let at = start; at < ids.length; at++) {
            node = edges.get(node * ID_RANGE + (ids[at] as number));
            if (node === undefined) break;
            const found = rowOfNode[node] as number;
            if (found >= 0) {
              row = found;
              end = at + 1;
            }
          }
        }
        if (row >= 0) visit(row);
        start = end;
      }
    },
  };
}
