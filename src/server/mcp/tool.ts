/**
 * What is a tool? What a model may call through MCP, whichever set it belongs to (the operations, the knowledge graph): what
 * it takes and gives, what it does to the memory, and how it is done. It checks its own input, so that a refusal is our
 * sentence and not a validator's.
 */
import type { z } from "zod";
import type { Call, Effect } from "../../operations/index.ts";
import type { Memory } from "../../runtime/memory.ts";

export interface ToolReply {
  /** For programs: all of it. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** For the model: as little as tells it. */
  readonly text: string;
}

export interface Tool {
  readonly name: string;
  /** Terse: every word of it stands in every prompt. */
  readonly description: string;
  readonly effect: Effect;
  readonly isIdempotent: boolean;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** `given` comes from outside. */
  run(memory: Memory, given: unknown, call: Call): Promise<ToolReply>;
}
