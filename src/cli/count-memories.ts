/** How many memories are there? The scope's own, current ones; things they speak of are none. */
import { where } from "../base/filter.ts";
import type { Scope } from "../base/scope.ts";
import { memoriesOnly } from "../services/graph/entity.ts";
import type { Storage } from "../storage/storage.ts";

const COUNTED = where.and(memoriesOnly, where.eq("supersededBy", null));

export async function countMemories(storage: Storage, scope: Scope, collection: string): Promise<number> {
  return (await storage.find(scope, collection, COUNTED, true)).size;
}
