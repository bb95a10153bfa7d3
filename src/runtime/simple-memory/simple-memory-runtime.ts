/**
 * Memory without vectors (seed 003): SQL tables and tags. A memory is found when one of its tags stands in the query, and in
 * the order of S3-20: most tags hit, newest day (UTC), greatest strength, newest. No tag hit, nothing found. The three
 * recalls share this one search (S3-26).
 */
import type { Hit } from "../../base/hit.ts";
import type { Memory } from "../memory.ts";
import { BaseMemoryRuntime, type Look } from "./base-memory-runtime.ts";

export class SimpleMemoryRuntime extends BaseMemoryRuntime {
  readonly name = "SimpleMemoryRuntime";
  readonly notes = {
    en: "Notes are off: SimpleMemoryRuntime (enable_simple_memory: true) does not search notes. Memories can be recalled with core_memory_recall.",
    zh: "笔记检索已关闭：SimpleMemoryRuntime（enable_simple_memory: true）不检索笔记。记忆可以用 core_memory_recall 召回。",
  };

  protected async look(memory: Memory, query: string, { limit, filter }: Look): Promise<readonly Hit[]> {
    const { hits } = await memory.recall(query, { limit, filter });
    return hits;
  }

  protected lookWidely(memory: Memory, query: string, look: Look): Promise<readonly Hit[]> {
    return this.look(memory, query, look);
  }

  /** What the talk is about is looked for like what it mentions (B.3); a line each, so that no tag arises between two. */
  protected lookAlong(
    memory: Memory,
    query: string,
    entities: readonly string[] | undefined,
    look: Look,
  ): Promise<readonly Hit[]> {
    return this.look(memory, [query, ...(entities ?? [])].join("\n"), look);
  }
}
