/** Who links what is new to what it is near to: the service at once, somebody later who finds it waiting, or nobody. */
import type { EntryId } from "../../base/ids.ts";
import type { NewWork } from "../../collection/insert.ts";

export const LINK_MODES = ["auto", "pending", "none"] as const;
export type LinkMode = (typeof LINK_MODES)[number];

/** The item of the status queue that asks whether a node is to be linked (S0-23); none where nothing is near. */
export function pendingWork(
  name: "link" | "synonym",
  node: EntryId,
  near: readonly { readonly id: EntryId; readonly similarity: number }[],
): NewWork[] {
  if (near.length === 0) return [];
  const pending_candidates = near.map(({ id, similarity }) => ({ id, similarity }));
  return [{ name, payload: { pending_node: node, pending_candidates } }];
}
