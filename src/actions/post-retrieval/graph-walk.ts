/** A walk over the service's graph that begins at hits: what a preset says of it, and the hints that ask for it. */
import { z } from "zod";
import type { Claims } from "../../pipeline/action.ts";
import type { FoundHit } from "../../pipeline/question.ts";
import type { Hints } from "../../services/hints.ts";

export const walkOptions = {
  depth: z
    .int()
    .min(1)
    .max(10)
    .nullable()
    .describe("How many steps the walk goes from a hit; null: as many as the service itself would."),
  edge_types: z
    .array(z.string().min(1))
    .min(1)
    .nullable()
    .describe("The types of edges that are walked; null: all."),
};

interface WalkOptions {
  readonly depth: number | null;
  readonly edge_types: readonly string[] | null;
}

export function walkHints(
  seeds: Readonly<Record<string, number>>,
  { depth, edge_types }: WalkOptions,
): Hints {
  return {
    strategy: "graph",
    seeds,
    ...(depth === null ? {} : { depth }),
    ...(edge_types === null ? {} : { edge_types }),
  };
}

export function walkClaims({ depth, edge_types }: WalkOptions): Claims {
  const optional = [
    ...(depth === null ? [] : (["depth"] as const)),
    ...(edge_types === null ? [] : (["edge_types"] as const)),
  ];
  return { abilities: ["graph"], hints: [{ strategy: "graph", names: ["seeds", ...optional] }] };
}

/** By score; where no score is above zero, all alike. */
export function seedsOf(hits: readonly FoundHit[]): Record<string, number> {
  const weighs = hits.some(({ score }) => score > 0);
  return Object.fromEntries(hits.map(({ id, score }) => [id, weighs ? Math.max(0, score) : 1]));
}
