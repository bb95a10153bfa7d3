/** How a way of looking is written down, and what every route_strategy has. */
import { z } from "zod";
import type { Claims } from "../../../pipeline/action.ts";
import {
  type HintName,
  type Hints,
  hintsSchema,
  STRATEGIES,
  type Strategy,
} from "../../../services/hints.ts";

const params = hintsSchema.omit({ strategy: true });

export const waySchema = z.strictObject({
  strategy: z.enum(STRATEGIES).nullable().describe("The way of looking; null: the service's own."),
  params: params.describe("Hints that go with it."),
});
export type Way = z.infer<typeof waySchema>;

export const commonRouteOptions = {
  allow_multi_route: z
    .boolean()
    .describe("Whether several ways are taken where several fit, or the first only."),
  max_routes: z
    .number()
    .int()
    .min(2)
    .nullable()
    .describe("How many ways are taken at most; null where only one may be."),
  default_route: waySchema.describe("The way that is taken where none fits."),
  keep_default: z
    .boolean()
    .describe(
      "Whether the default route is taken beside the ways that fit, too, unless one of them looks by the same strategy.",
    ),
};

/** Ways that fit a question by what it names: its times, its names. */
export const namedRouteOptions = {
  time_route: waySchema
    .nullable()
    .describe(
      "The way for a question that names a time, which becomes the hint time_range; null: times do not matter.",
    ),
  time_margin_days: z
    .number()
    .min(0)
    .nullable()
    .describe("How many days before and after the named time count, too; null where there is no time_route."),
  name_route: z
    .strictObject({
      strategy: z
        .enum(["graph", "lexical", "key"])
        .describe("graph: the names become the hint entities; lexical and key: the hint keywords."),
      params: params.describe("Hints that go with it."),
    })
    .nullable()
    .describe("The way for a question that names persons, places or things; null: names do not matter."),
};

export function hintsOf({ strategy, params }: Way, added: Hints = {}): Hints {
  return { ...(strategy === null ? {} : { strategy }), ...params, ...added };
}

/** Under which hint a way of looking takes names. */
export function namesHint(strategy: Strategy): "entities" | "keywords" {
  return strategy === "graph" ? "entities" : "keywords";
}

/** What a way sends, for the check of the preset. */
export function hintClaim({ strategy, params }: Way, added: readonly HintName[] = []): ClaimedHints {
  const written = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const names = [...hintNames.filter((name) => written.includes(name)), ...added];
  return { strategy: strategy ?? undefined, names: [...new Set(names)] };
}

/** The vector fields that ways ask by. */
export function askedFields(ways: readonly (Way | null)[]): string[] {
  return [...new Set(ways.flatMap((way) => way?.params.fields ?? []))];
}

type ClaimedHints = NonNullable<Claims["hints"]>[number];
const hintNames = hintsSchema.keyof().options;
