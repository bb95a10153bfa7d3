/**
 * What is a combination called? By what stands in each of the five dimensions, as the original's plan names its runs:
 * `MS-hybrid_memory__PR-optimize.rewrite+embedding__POR-none__PI-none__POI-none`.
 */
import { createHash } from "node:crypto";
import { ACTIONS } from "../../actions/index.ts";
import type { ActionDefinition } from "../../pipeline/action.ts";
import type { Stage } from "../../pipeline/stage.ts";
import type { Preset, PresetAction } from "../../preset/preset.ts";

/** In order of difficulty: the cheapest to change first. */
export const DIMENSIONS = [
  "pre_retrieval",
  "post_retrieval",
  "pre_insert",
  "post_insert",
  "service",
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

const CODES = {
  service: "MS",
  pre_retrieval: "PR",
  post_retrieval: "POR",
  pre_insert: "PI",
  post_insert: "POI",
} as const satisfies Readonly<Record<Dimension, string>>;
const IN_NAME: readonly Dimension[] = [
  "service",
  "pre_retrieval",
  "post_retrieval",
  "pre_insert",
  "post_insert",
];

/** A folder's name may have 255 bytes, and the data set's and the model's names come behind. */
const LONGEST = 180;

/** `mark`: the part of a dimension that has the base's actions with other options. */
export function combinationName(preset: Preset, mark?: Dimension): string {
  const parts = IN_NAME.map((dimension) => {
    const label = labelIn(preset, dimension);
    return `${CODES[dimension]}-${label}${dimension === mark ? "-recommended" : ""}`;
  });
  const name = parts.join("__");
  if (name.length <= LONGEST) return name;
  return `${name.slice(0, LONGEST - 9)}-${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}

/** What stands in one dimension: "none", "optimize.rewrite+embedding", "graph_memory". */
export function labelIn({ service, stages }: Preset, dimension: Dimension): string {
  if (dimension === "service") return service.name;
  return stages[dimension].map((action) => actionLabel(dimension, action)).join("+") || "none";
}

/** With its sub-type, where it has one. */
export function actionLabel(
  stage: Stage,
  { action, options }: Pick<PresetAction, "action" | "options">,
): string {
  const actions: readonly ActionDefinition[] = ACTIONS[stage];
  const subtype = actions.find(({ name }) => name === action)?.subtype;
  const chosen = subtype === undefined ? undefined : options[subtype];
  return typeof chosen === "string" ? `${action}.${chosen}` : action;
}
