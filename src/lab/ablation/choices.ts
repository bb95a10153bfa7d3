/** What could stand in a dimension? Every action of the stage, each of its sub-types by itself, with the recommended values; every service. */
import { ACTIONS } from "../../actions/index.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ActionDefinition } from "../../pipeline/action.ts";
import { fill } from "../../preset/fill.ts";
import { asObject, jsonSchemaOf, variantsOf } from "../../preset/option-table.ts";
import type { Preset } from "../../preset/preset.ts";
import type { Recommended } from "../../preset/recommended.ts";
import { SERVICES } from "../../services/index.ts";
import { actionLabel, type Dimension } from "./run-name.ts";

export interface Choice {
  readonly dimension: Dimension;
  /** As the run's name has it. */
  readonly label: string;
  /** What a preset file writes for it, over the base. */
  readonly written: JsonObject;
}

export function choicesIn(dimension: Dimension, base: Preset, recommended: Recommended): Choice[] {
  if (dimension === "service") return Object.keys(SERVICES).map(serviceChoice);
  const actions: readonly ActionDefinition[] = ACTIONS[dimension];
  return actions.flatMap((definition) =>
    variantsOf(definition.options, definition.subtype).map(({ subtype }): Choice => {
      const options =
        definition.subtype !== undefined && subtype !== null ? { [definition.subtype]: subtype } : {};
      const own = { action: definition.name, ...options };
      const kept =
        dimension === "pre_retrieval" &&
        definition.name !== "none" &&
        !givesVector(definition, options, recommended)
          ? vectorGivers(base)
          : [];
      return {
        dimension,
        label: [
          actionLabel(dimension, { action: definition.name, options }),
          ...kept.map(({ action }) => String(action)),
        ].join("+"),
        written: {
          stages: { [dimension]: kept.length === 0 ? own : [own, ...kept] },
          // What is done by the clock is an action of post_insert, and goes with it.
          ...(dimension === "post_insert" ? { upkeep: [] } : {}),
        },
      };
    }),
  );
}

function serviceChoice(name: string): Choice {
  return { dimension: "service", label: name, written: { service: { name, collection_name: "ablation" } } };
}

/**
 * What gives the base's question its vector stays behind another action of pre_retrieval: a rewriting that is tried without
 * it would be blamed for the missing vector. Only `none` is tried as it is.
 */
function vectorGivers({ stages }: Preset): JsonObject[] {
  return stages.pre_retrieval
    .filter(({ claims }) => claims.queryVector === true)
    .map(({ action, options }) => ({ action, ...options }));
}

function givesVector(definition: ActionDefinition, options: JsonObject, recommended: Recommended): boolean {
  const { stage, name, subtype, options: schema } = definition;
  const chosen = subtype === undefined ? undefined : options[subtype];
  const values = recommended.action(stage, name, typeof chosen === "string" ? chosen : undefined);
  const filled = fill(jsonSchemaOf(schema), options, asObject(values) ?? {}, recommended);
  const parsed = schema.safeParse(filled);
  // What cannot be read at all is the loader's to tell.
  return parsed.success && definition.claims?.(parsed.data)?.queryVector === true;
}
