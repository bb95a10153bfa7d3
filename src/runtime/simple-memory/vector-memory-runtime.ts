/** Memory by meaning and words: the same interface over a design with vectors (S3-6), each recall as the memory itself does it. */
import type { Hit } from "../../base/hit.ts";
import type { Memory } from "../memory.ts";
import { BaseMemoryRuntime, type Look } from "./base-memory-runtime.ts";

export class VectorMemoryRuntime extends BaseMemoryRuntime {
  readonly name = "VectorMemoryRuntime";
  readonly notes = {
    en: "There are no notes: this memory keeps memories and what was said, and no note files. Memories can be recalled with core_memory_recall.",
    zh: "没有笔记：这里只保存记忆和说过的话，不保存笔记文件。记忆可以用 core_memory_recall 召回。",
  };

  protected async look(memory: Memory, query: string, { limit, filter }: Look): Promise<readonly Hit[]> {
    const { hits } = await memory.recall(query, { limit, filter });
    return hits;
  }

  protected lookWidely(memory: Memory, query: string, { limit, filter }: Look): Promise<readonly Hit[]> {
    return memory.comprehensiveRecall(query, { limit, filter });
  }

  protected lookAlong(
    memory: Memory,
    query: string,
    entities: readonly string[] | undefined,
    { limit, filter }: Look,
  ): Promise<readonly Hit[]> {
    return memory.chainedRecall(query, { entities, limit, filter });
  }
}
