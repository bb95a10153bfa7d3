/** What a caller of a memory runtime may hand in: checked whole, unknown keys refused, before anything is done. */
import { z } from "zod";
import { type Filter, where } from "../../base/filter.ts";
import { labelSchema } from "../../base/text-input.ts";
import { MEMORY_TYPES, memoryTypeOf } from "../../tasks/memory-types.ts";
import type { JudgedMemory } from "../judged-memory.ts";
import type { ChainedRequest, NewMemory, RecallRequest, RuntimeFeedback } from "./memory-runtime.ts";

/** More would be no recall but an export. */
const MOST_RECALLED = 1000;

const visible = z.string().refine((text) => text.trim() !== "", "must hold at least one visible character");

export const newMemorySchema: z.ZodType<NewMemory> = z.strictObject({
  judgment: visible,
  reasoning: visible,
  memory_type: z.string().optional(),
  tags: z.array(labelSchema).readonly().optional(),
  strength: z.int32().optional(),
  is_active: z.boolean().optional(),
});

const recallShape = {
  limit: z.int().min(1).max(MOST_RECALLED).optional(),
  memory_types: z.array(z.string()).min(1).readonly().optional(),
};

export const recallSchema: z.ZodType<RecallRequest> = z.strictObject(recallShape);

export const chainedSchema: z.ZodType<ChainedRequest> = z.strictObject({
  ...recallShape,
  entities: z.array(z.string()).readonly().optional(),
});

export const feedbackSchema: z.ZodType<RuntimeFeedback> = z.strictObject({
  useful_memory_ids: z.array(z.string()).readonly().optional(),
  new_memories: z.array(newMemorySchema).readonly().optional(),
  merge_groups: z.array(z.array(z.string()).min(2).readonly()).readonly().optional(),
});

export const querySchema = z.string();
export const idsSchema = z.array(z.string()).readonly();

/** What somebody judged already, as the memory takes it. */
export function toJudged(
  { judgment, reasoning, memory_type, tags, strength, is_active }: NewMemory,
  isActive: boolean,
): JudgedMemory {
  return {
    judgment,
    reasoning,
    type: memoryTypeOf(memory_type ?? "knowledge"),
    tags,
    strength,
    pinned: is_active ?? isActive,
  };
}

/** Kinds that are none of the five types count as knowledge, so that asking for knowledge finds them. */
export function typeFilter(names: readonly string[] | undefined): Filter | undefined {
  if (names === undefined) return undefined;
  const wanted = names.map(memoryTypeOf);
  if (!wanted.includes("knowledge")) return where.in("kind", wanted);
  const others = MEMORY_TYPES.filter((type) => !wanted.includes(type));
  return where.not(where.in("kind", others));
}
