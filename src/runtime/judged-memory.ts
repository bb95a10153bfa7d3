/**
 * A memory that somebody has judged already: what holds, why, of which type, under which tags (SimpleMemory's triple, B.3).
 * It goes into the journal like everything that is said, and stands in the memory as it was worded: no design rewrites it.
 */
import type { MemoryType } from "../tasks/memory-types.ts";

export interface JudgedMemory {
  readonly judgment: string;
  readonly reasoning?: string | undefined;
  /** @default knowledge */
  readonly type?: MemoryType | undefined;
  readonly tags?: readonly string[] | undefined;
  /** @default 10, as for what is remembered in passing */
  readonly strength?: number | undefined;
  /** Never forgotten by a sweep: remembered on purpose (is_active). @default true */
  readonly pinned?: boolean | undefined;
  /** 0 to 1. */
  readonly importance?: number | undefined;
  /** When what it says happened (epoch ms). @default now */
  readonly happenedAt?: number | undefined;
  readonly session?: string | undefined;
  readonly speaker?: string | undefined;
}
