/** A stored memory as an agent reads it, under the names of the table `memory_records` (S3-9). */
import type { Entry } from "../../base/entry.ts";
import type { Hit } from "../../base/hit.ts";
import { memoryTypeOf } from "../../tasks/memory-types.ts";
import type { MemoryItem, RecalledMemory } from "./memory-runtime.ts";

export function toItem(entry: Entry): MemoryItem {
  return {
    id: entry.id,
    memory_type: memoryTypeOf(entry.kind),
    judgment: entry.content,
    reasoning: entry.rationale,
    tags: entry.tags,
    strength: entry.strength,
    is_active: entry.pinned,
    memory_scope: entry.scope,
    created_at: entry.createdAt / 1000,
    updated_at: entry.updatedAt / 1000,
  };
}

export function toRecalled(hit: Hit): RecalledMemory {
  return { ...toItem(hit), score: hit.score, score_parts: hit.scoreParts };
}
