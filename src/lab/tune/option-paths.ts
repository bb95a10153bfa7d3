/**
 * By which name is one option of a design called? By its place in the resolved preset: `input.with_speaker`, `service.rrf_k`,
 * `stages.post_retrieval.rerank.top_k`. In a stage an action is called by its name, as `neuromem preset diff` calls it, so
 * that a path still means the same when another action is put before it; the second of a name is `rerank#2`.
 */
import { MemoryError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { nearestName } from "../../base/nearest-name.ts";
import { STAGES } from "../../pipeline/stage.ts";
import { asObject } from "../../preset/option-table.ts";
import { type Preset, presetData } from "../../preset/preset.ts";
import type { Path } from "../../preset/yaml-file.ts";

export interface OptionPlace {
  /** Where it stands in the preset as data, an action by its number. */
  readonly path: Path;
  readonly value: Json;
}

/** How many names an error lists before they would hide what is said. */
const MOST_NAMED = 12;

/** Every option that is one value, by its path; lists are written whole and have none. */
export function optionPlaces(preset: Preset): ReadonlyMap<string, OptionPlace> {
  const data = presetData(preset);
  const places = new Map<string, OptionPlace>();
  const walk = (name: string, path: Path, value: Json | undefined): void => {
    const inside = asObject(value);
    if (inside === undefined) {
      if (value !== undefined && !Array.isArray(value)) places.set(name, { path, value });
      return;
    }
    for (const [key, part] of Object.entries(inside)) walk(`${name}.${key}`, [...path, key], part);
  };
  walk("input", ["input"], data.input);
  walk("service", ["service"], withoutKey(asObject(data.service), "name"));
  for (const stage of STAGES) {
    const seen = new Map<string, number>();
    preset.stages[stage].forEach(({ action, options }, place) => {
      const count = (seen.get(action) ?? 0) + 1;
      seen.set(action, count);
      const name = count === 1 ? action : `${action}#${count}`;
      walk(`stages.${stage}.${name}`, ["stages", stage, place], options);
    });
  }
  return places;
}

/** The option of that path, or what it may have been meant to be. */
export function findOption(preset: Preset, path: string): OptionPlace {
  const places = optionPlaces(preset);
  const found = places.get(path);
  if (found !== undefined) return found;
  const names = [...places.keys()];
  const near = nearestName(path, names);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  throw new MemoryError(
    "unknown_name",
    `The preset ${preset.name} has no option "${path}" of one value.${hint} ${neighboursOf(path, names)}`,
    { details: { path, ...(near === undefined ? {} : { nearest: near }) } },
  );
}

/** The options below the longest beginning of the path that exists. */
function neighboursOf(path: string, names: readonly string[]): string {
  const steps = path.split(".");
  for (let length = steps.length - 1; length > 0; length--) {
    const above = steps.slice(0, length).join(".");
    const below = names.filter((name) => name.startsWith(`${above}.`));
    if (below.length > 0) return `Valid below ${above}: ${shortened(below)}.`;
  }
  return `Valid: ${shortened(names.filter((name) => name.startsWith("stages.") && name.includes("_retrieval.")))}, and more (neuromem preset show NAME).`;
}

function shortened(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function withoutKey(object: JsonObject | undefined, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => name !== key));
}
