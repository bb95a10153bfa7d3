/** SimpleMem's memory with its three layers (S2-3, S2-19): a sentence for meaning, keywords for words, facts for filters. */
import { z } from "zod";
import type { Entry } from "../../base/entry.ts";

export interface MemoryEntry {
  readonly entry_id: string;
  /** The semantic layer: one sentence that needs nothing around it. Its vector and its words are what is searched. */
  readonly lossless_restatement: string;
  /** The lexical layer. */
  readonly keywords: readonly string[];
  /** The symbolic layer: when it happened or will, ISO 8601 as far as it is known, and where, who, what. */
  readonly timestamp: string | null;
  readonly location: string | null;
  readonly persons: readonly string[];
  readonly entities: readonly string[];
  readonly topic: string | null;
}

const text = z.string().nullable().catch(null).default(null);
const texts = z.array(z.string()).catch([]).default([]);
const fields = z.object({
  keywords: texts,
  timestamp: text,
  location: text,
  persons: texts,
  entities: texts,
  topic: text,
});

/** What other designs or hands wrote without these fields has them empty. */
export function memoryEntryOf({
  id,
  content,
  metadata,
}: Pick<Entry, "id" | "content" | "metadata">): MemoryEntry {
  return { entry_id: id, lossless_restatement: content, ...fields.parse(metadata) };
}
