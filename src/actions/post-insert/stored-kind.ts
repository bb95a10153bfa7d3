/** The kind an entry was stored with; where nobody named one, the store's own. */
import type { ServiceInsert } from "../../services/service.ts";

export function storedKind({ kind = "memory" }: Pick<ServiceInsert, "kind">): string {
  return kind;
}
