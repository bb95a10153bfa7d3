/**
 * What do an agent's core and its tools call (seed 003, S3-25)? One interface, whether memories are found by tags or by
 * vectors: a caller never knows which, and both pass one suite (`testMemoryRuntime`). Every call names the scope it acts
 * for: `public` sees public, any other scope sees itself and public, and anything that is no scope is refused and logged.
 *
 * Names and units of an item are those of the table `memory_records`: seconds since 1970, fractions among them.
 */
import type { MemoryType } from "../../tasks/memory-types.ts";

export interface MemoryItem {
  readonly id: string;
  readonly memory_type: MemoryType;
  readonly judgment: string;
  readonly reasoning: string;
  readonly tags: readonly string[];
  readonly strength: number;
  /** Remembered on purpose: no sweep takes it. */
  readonly is_active: boolean;
  readonly memory_scope: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface RecalledMemory extends MemoryItem {
  readonly score: number;
  /** What the score is made of: by tags it is `hits`, `day` and `strength`. */
  readonly score_parts: Readonly<Record<string, number>>;
}

export interface NewMemory {
  /** What holds. */
  readonly judgment: string;
  /** Why it holds. */
  readonly reasoning: string;
  /**
   * knowledge, event, skill, task or emotional, or the Chinese label, 知识, 事件, 技能, 任务 or 情感, with 记忆 or
   * without. Anything else is knowledge. @default knowledge
   */
  readonly memory_type?: string | undefined;
  /** What a later chat must mention to bring it back. @default the keywords of the judgment */
  readonly tags?: readonly string[] | undefined;
  /** @default 10 */
  readonly strength?: number | undefined;
  /** @default true for what is remembered, false for what comes with feedback */
  readonly is_active?: boolean | undefined;
}

export interface RecallRequest {
  /** Most memories, up to 1000. @default as many as the design says: 10 */
  readonly limit?: number | undefined;
  /** Only memories of these types, named as in `NewMemory`. They are chosen before the limit cuts. @default all */
  readonly memory_types?: readonly string[] | undefined;
}

export interface ChainedRequest extends RecallRequest {
  /** What the talk is about, beside what the query mentions. @default none */
  readonly entities?: readonly string[] | undefined;
}

export interface RuntimeFeedback {
  /** They helped: each grows stronger. */
  readonly useful_memory_ids?: readonly string[] | undefined;
  readonly new_memories?: readonly NewMemory[] | undefined;
  /** Groups of two or more ids that say the same; each becomes one memory. Never of two private scopes. */
  readonly merge_groups?: readonly (readonly string[])[] | undefined;
}

export interface MemoryRuntime {
  /** As the start-up log names it. */
  readonly name: string;
  /** Why a search in notes finds nothing: there are none. A tool for notes answers with it (S3-5, S3-31). */
  readonly notes: Readonly<Record<"en" | "zh", string>>;
  /** The id of the memory; of the one that said the same before, where there is one. */
  remember(scope: string, memory: NewMemory): Promise<string>;
  /** Best first; [] where nothing is found. */
  recall(scope: string, query: string, request?: RecallRequest): Promise<readonly RecalledMemory[]>;
  comprehensiveRecall(
    scope: string,
    query: string,
    request?: RecallRequest,
  ): Promise<readonly RecalledMemory[]>;
  chainedRecall(scope: string, query: string, request?: ChainedRequest): Promise<readonly RecalledMemory[]>;
  /** The memories that were strengthened, made and merged, in this order, as they are now. */
  feedback(scope: string, given: RuntimeFeedback): Promise<readonly MemoryItem[]>;
  /** Passive memories without strength go, and tags that nobody bears. */
  consolidateMemories(scope: string): Promise<void>;
  /** In the order asked; ids of what is not there, or not for this scope, are left out, what is no id is refused. */
  getByIds(scope: string, ids: readonly string[]): Promise<readonly MemoryItem[]>;
  close(): Promise<void>;
}
