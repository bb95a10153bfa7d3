/**
 * What one stage tells the next about where to look. Hints are typed and every one is either read or refused: a hint that
 * nobody reads is how settings quietly stop working (B.0.9, 1).
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { momentSchema } from "../base/moment.ts";
import { validNames } from "../base/nearest-name.ts";

/** Ways of looking. A service offers some of them. */
export const STRATEGIES = [
  "semantic",
  "lexical",
  "structured",
  "temporal",
  "recent",
  "graph",
  "fact",
  "key",
  "multi_index",
] as const;
export type Strategy = (typeof STRATEGIES)[number];

const names = z.array(z.string().min(1)).readonly();

export const hintsSchema = z.strictObject({
  strategy: z
    .enum(STRATEGIES)
    .describe("The way of looking; unsaid, the service's own first choice.")
    .optional(),
  tiers: names.describe("Only entries of these tiers.").optional(),
  indexes: names.describe("Only these indexes of those that the strategy would ask.").optional(),
  fields: names.describe("Only these vector fields, as multi_embed names them.").optional(),
  weights: z
    .record(z.string(), z.number().min(0))
    .describe("What each index or vector field counts when lists are fused.")
    .optional(),
  keywords: names.describe("Words to look for instead of the question's text.").optional(),
  entities: names.describe("Names to start a walk from.").optional(),
  seeds: z
    .record(z.string(), z.number().min(0))
    .describe("Entries to start a walk from, by id, with their weights.")
    .optional(),
  facts: z
    .record(z.string(), z.number().min(0).max(1))
    .describe(
      "Facts that bear on the question, by id, with how near each is: a walk begins at what they speak of.",
    )
    .optional(),
  edge_types: names.describe("Only edges of these types.").optional(),
  depth: z.number().int().min(1).max(10).describe("How many steps a walk may go.").optional(),
  time_range: z
    .strictObject({ from: momentSchema.optional(), to: momentSchema.optional() })
    .describe("Only what happened between these moments (epoch ms, both inclusive).")
    .optional(),
  max_hamming: z.number().int().min(0).describe("How many bits a hash bucket may differ.").optional(),
  key: z
    .string()
    .refine((key) => key.trim() !== "", "must hold more than spaces")
    .describe("The key to look up.")
    .optional(),
});

/** As a preset and a trace write them. */
export type Hints = z.infer<typeof hintsSchema>;
export type HintName = keyof Hints;

export const HINT_NAMES: readonly HintName[] = hintsSchema.keyof().options;

/** Which hints each way of looking reads. */
export type StrategyHints = Readonly<Partial<Record<Strategy, readonly HintName[]>>>;

/** The first hint that somebody who reads these would ignore. */
export function ignoredHint(hints: Hints, reads: readonly HintName[]): HintName | undefined {
  return HINT_NAMES.find((name) => hints[name] !== undefined && name !== "strategy" && !reads.includes(name));
}

/** Refuses every hint that the way of looking would ignore. */
export function checkHints(
  hints: Hints,
  strategy: Strategy,
  reads: readonly HintName[],
  service: string,
): void {
  const ignored = ignoredHint(hints, reads);
  if (ignored === undefined) return;
  throw new MemoryError(
    "capability_missing",
    `The service ${service} does not read the hint "${ignored}" when it looks by "${strategy}". ${validNames(ignored, reads)}`,
  );
}
