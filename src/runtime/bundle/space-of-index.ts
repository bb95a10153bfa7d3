/** The space whose vectors an index holds; null: it holds none. */
import type { IndexRecord } from "../../storage/registry.ts";

export function spaceOfIndex({ options }: Pick<IndexRecord, "options">): string | null {
  return typeof options.space === "string" ? options.space : null;
}
