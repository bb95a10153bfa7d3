/** What can be asked of a graph index? One of three walks, by `mode`. */
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { validNames } from "../../base/nearest-name.ts";
import { parseInput } from "../../base/parse-input.ts";
import { PAGERANK_DEFAULTS } from "../../math/pagerank.ts";
import { SPREAD_DEFAULTS } from "../../math/spreading-activation.ts";

/** Far more than any memory design asks for: a walk that long has reached whatever it can reach. */
const hops = z.number().int().min(1).max(64);
/** Seeds outside the reader's scopes are ignored. The bound keeps sums finite. */
const seeds = z.record(z.string(), z.number().min(0).max(1e100));
const shared = {
  /** Which way directed edges are walked. */
  direction: z.enum(["out", "in", "both"]).default("both"),
  /** Only edges of these types; all if left out. */
  types: z.array(z.string()).optional(),
};

const schemas = {
  /** Who is around these entries? Score 1 / (1 + depth); the entries asked about are left out. */
  neighbors: z.strictObject({
    mode: z.literal("neighbors"),
    from: z.array(z.string()),
    hops: hops.default(1),
    ...shared,
  }),
  /** Personalised PageRank from weighted seeds. */
  ppr: z.strictObject({
    mode: z.literal("ppr"),
    seeds,
    damping: z.number().min(0).max(0.99).default(PAGERANK_DEFAULTS.damping),
    epsilon: z.number().min(1e-9).max(1).default(PAGERANK_DEFAULTS.epsilon),
    /** Whoever edges of these types join to what was reached is returned in its place, with all that it is joined to is worth. */
    carry: z.array(z.string()).optional(),
    ...shared,
  }),
  /** Spreading activation from seeds. */
  spread: z.strictObject({
    mode: z.literal("spread"),
    seeds,
    hops: hops.default(SPREAD_DEFAULTS.hops),
    decay: z.number().gt(0).max(1).default(SPREAD_DEFAULTS.decay),
    combine: z.enum(["max", "sum"]).default(SPREAD_DEFAULTS.combine),
    threshold: z.number().min(0).default(SPREAD_DEFAULTS.threshold),
    ...shared,
  }),
} as const;

export type NeighborsParams = z.infer<typeof schemas.neighbors>;
export type PprParams = z.infer<typeof schemas.ppr>;
export type SpreadParams = z.infer<typeof schemas.spread>;
export type GraphParams = NeighborsParams | PprParams | SpreadParams;

export function parseGraphParams(params: JsonObject | undefined): GraphParams {
  const what = "query of the graph index";
  switch (params?.mode) {
    case "neighbors":
      return parseInput(schemas.neighbors, params, what);
    case "ppr":
      return parseInput(schemas.ppr, params, what);
    case "spread":
      return parseInput(schemas.spread, params, what);
    default: {
      const given =
        params?.mode === undefined ? "has no mode" : `has the mode ${JSON.stringify(params.mode)}`;
      const wrong = typeof params?.mode === "string" ? params.mode : "";
      throw new MemoryError(
        "input_invalid",
        `The ${what} ${given}. Its params must name what to walk as "mode". ${validNames(wrong, Object.keys(schemas))}`,
      );
    }
  }
}
