/**
 * A memory that somebody has judged already: what holds, why, of which type, under which tags (SimpleMemory's triple, B.3).
 * It goes into the journal like everything that is said, and stands in the memory as it was worded: no design rewrites it.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { type JsonObject, jsonObjectSchema } from "../base/json.ts";
import { momentSchema } from "../base/moment.ts";
import { parseInput } from "../base/parse-input.ts";
import { checkContent, checkText, checkTexts, labelSchema } from "../base/text-input.ts";
import type { NewTurn } from "../base/turn.ts";
import { JUDGMENT, type Judgment } from "../pipeline/judgment.ts";
import { MEMORY_TYPES, type MemoryType } from "../tasks/memory-types.ts";

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
  /** The caller's own fields, which the memory has as `metadata.own`. What says the same with other fields is another memory. */
  readonly metadata?: JsonObject | undefined;
}

/** As a caller without types may hand it in. */
export const judgedMemorySchema: z.ZodType<JudgedMemory> = z.strictObject({
  judgment: z.string(),
  reasoning: z.string().optional(),
  type: z.enum(MEMORY_TYPES).optional(),
  tags: z.array(labelSchema).max(1000).optional(),
  strength: z.int32().optional(),
  pinned: z.boolean().optional(),
  importance: z.number().min(0).max(1).optional(),
  happenedAt: momentSchema.optional(),
  session: z.string().max(256).optional(),
  speaker: z.string().max(256).optional(),
  metadata: jsonObjectSchema.optional(),
});

const PASSING_STRENGTH = 10;

/** As it stands in the journal. */
export function judgedTurn(given: JudgedMemory): NewTurn {
  const {
    judgment,
    reasoning = "",
    type = "knowledge",
    tags = [],
    strength = PASSING_STRENGTH,
    pinned = true,
    importance = null,
    metadata,
    ...said
  } = parseInput(judgedMemorySchema, given, "judged memory");
  checkContent(judgment, "judged memory's judgment");
  checkText(reasoning, "judged memory's reasoning");
  const labels = [...new Set(tags.map((tag) => checkContent(tag, "judged memory's tag")))].sort();
  const judged = { type, reasoning, tags: labels, strength, pinned, importance } satisfies Judgment;
  const own = metadata === undefined ? undefined : checkTexts(metadata, "judged memory's metadata");
  const whole = own === undefined ? judged : ({ ...judged, own } satisfies Judgment);
  return { ...said, text: judgment, metadata: { [JUDGMENT]: whole } };
}

/** What is said may not pass for judged. */
export function refuseJudgment({ metadata }: NewTurn): void {
  if (metadata === undefined || metadata === null || !Object.hasOwn(metadata, JUDGMENT)) return;
  throw new MemoryError(
    "input_invalid",
    `The turn's metadata uses the reserved name "${JUDGMENT}". Valid: any other name, or a judged memory { judgment, … }.`,
  );
}
