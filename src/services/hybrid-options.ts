/** What a preset says of a hybrid memory; a key without a meaning under the others must be null, so that none is ignored. */
import { z } from "zod";
import type { FusionOptions } from "../policies/fusion.ts";
import { commonOptions } from "./base-service.ts";

const weight = z.number().min(0);

const names = {
  link_threshold: z
    .number()
    .min(0)
    .max(1)
    .describe("Cosine from which a name in a question stands for a known one."),
  synonymy_threshold: z
    .number()
    .min(0)
    .max(1)
    .describe("Cosine from which two names count as the same thing's."),
  max_links: z.int().min(1).describe("How many such names a new one is linked to at most."),
};

const spreadOptions = z.strictObject({
  walk: z.literal("spread").describe("Activation spreads from what the question names and is near to."),
  seeds: z.int().min(1).describe("How many entities near to the question a walk starts from."),
  passage_node_weight: z
    .number()
    .min(0)
    .max(1)
    .describe("What the nearest memory weighs as a start beside them."),
  depth: z.int().min(1).max(10).describe("How many links a walk may follow."),
  decay: z.number().gt(0).max(1).describe("What is left of an activation one link further."),
  ...names,
});

/** Mem0's third version. */
const linksOptions = z.strictObject({
  walk: z
    .literal("links")
    .describe("Memories that speak of what the question names, the more by the more alike the names are."),
  max_names: z.int().min(1).describe("How many names of a question count, the first ones."),
  max_entities: z.int().min(1).describe("How many known names each of them may stand for."),
  link_weight: z.number().min(0).describe("What a name that is the same counts for a memory that has it."),
  crowding: z
    .number()
    .min(0)
    .describe("How much less a name counts that n memories have: divided by 1 + crowding · (n − 1)²."),
  ...names,
});

const graphOptions = z.discriminatedUnion("walk", [spreadOptions, linksOptions]);

export const hybridOptions = z
  .strictObject({
    ...commonOptions,
    graph_enabled: z
      .boolean()
      .describe(
        "Whether entries are linked, by edges and by what their triples speak of, and found along links.",
      ),
    graph: graphOptions.nullable().describe("The graph's own options; null where it is not enabled."),
    text: z
      .strictObject({
        k1: z.number().min(0).describe("How soon repeating a word stops helping."),
        b: z.number().min(0).max(1).describe("How much long texts are held back."),
        around: z
          .array(z.number().gt(0).max(1))
          .max(5)
          .readonly()
          .describe(
            "What the words of what was said one, two … turns before and after count in a memory; [] if it stands for itself.",
          ),
        dates: z.boolean().describe("Whether the day on which it happened is among a memory's words."),
      })
      .describe("How words are looked for."),
    fusion_strategy: z
      .enum(["weighted", "rrf", "raw_weighted", "union"])
      .describe(
        "How the lists become one: by scores scaled to 0 … 1, by ranks, by scores as they are, or list after list.",
      ),
    weights: z
      .strictObject({
        vector: weight.describe("What nearness of meaning counts."),
        text: weight.describe("What shared words count."),
        graph: weight.nullable().describe("What links count; null where the graph is not enabled."),
      })
      .nullable()
      .describe("What each list counts; null for union, which weighs none."),
    rrf_k: z
      .number()
      .min(0)
      .nullable()
      .describe("The constant of reciprocal rank fusion; null for every other strategy."),
    overfetch: z.int().min(1).describe("How many times more than the answer holds each index is asked for."),
    conflict_check: z
      .strictObject({
        similarity: z
          .number()
          .min(-1)
          .max(1)
          .describe("From which cosine on an entry may clash with a new one."),
        top: z.int().min(1).describe("How many such entries are reported at most, nearest first."),
      })
      .nullable()
      .describe("When a new entry is reported as possibly clashing with others; null: never."),
  })
  .refine(({ fusion_strategy, weights }) => (weights === null) === (fusion_strategy === "union"), {
    error: "weights are null for union, and only there",
    path: ["weights"],
  })
  .refine(({ fusion_strategy, rrf_k }) => (rrf_k !== null) === (fusion_strategy === "rrf"), {
    error: "rrf_k is a number for rrf, and only there",
    path: ["rrf_k"],
  })
  .refine(({ graph_enabled, graph }) => (graph !== null) === graph_enabled, {
    error: "options of the graph are given where it is enabled, and only there",
    path: ["graph"],
  })
  .refine(({ graph_enabled, weights }) => weights === null || (weights.graph !== null) === graph_enabled, {
    error: "a weight of the graph is given where it is enabled, and only there",
    path: ["weights", "graph"],
  });
export type HybridOptions = Readonly<z.infer<typeof hybridOptions>>;

/** As the policy of fusion takes it. */
export function fusionOf({ fusion_strategy: strategy, weights, rrf_k }: HybridOptions): FusionOptions {
  const given = Object.entries(weights ?? {}).filter((pair): pair is [string, number] => pair[1] !== null);
  const named = Object.fromEntries(given);
  if (strategy === "union") return { strategy };
  if (strategy === "rrf") return { strategy, rrf_k: rrf_k ?? 0, weights: named };
  return { strategy, weights: named };
}
