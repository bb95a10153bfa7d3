/** Which ordinals may be returned? Few allowed ids are marked beforehand; among many, each proposed one is looked up. */
import type { EntryId } from "../base/ids.ts";
import type { Ordinals } from "./ordinals.ts";

/** Below this share of all ids, marking is cheaper than turning proposed ordinals back into ids. */
const FEW = 1 / 8;

export function allowedOrdinals(
  ordinals: Ordinals,
  allow: ReadonlySet<EntryId> | undefined,
): (ordinal: number) => boolean {
  if (allow === undefined) return () => true;
  if (allow.size > FEW * ordinals.size) return (ordinal) => allow.has(ordinals.idAt(ordinal));
  const marked = new Uint8Array(ordinals.end);
  for (const id of allow) {
    const ordinal = ordinals.ordinalOf(id);
    if (ordinal >= 0) marked[ordinal] = 1;
  }
  return (ordinal) => marked[ordinal] === 1;
}
