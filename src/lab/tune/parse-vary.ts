/** What does `PATH=LOW..HIGH[:log]` or `PATH=a,b,c` mean for this preset? Or what is wrong with it, and what would be valid. */
import { MemoryError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { expectedAt, jsonSchemaOf } from "../../preset/option-table.ts";
import { type Preset, presetSchema } from "../../preset/preset.ts";
import { serviceNamed } from "../../services/index.ts";
import type { Dimension } from "./dimension.ts";
import { findOption, type OptionPlace } from "./option-paths.ts";
import { definitionOf, stageNamed } from "./override-preset.ts";

const FORMS = "Valid: PATH=LOW..HIGH, PATH=LOW..HIGH:log, or PATH=a,b,c with two values or more.";
const NUMBER = "[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?";
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(:log)?$`);

/** Every option is named once. */
export function parseVaries(texts: readonly string[], preset: Preset): Dimension[] {
  if (texts.length === 0) throw refused(`There is nothing to vary. ${FORMS}`);
  const dimensions = texts.map((text) => parseVary(text, preset));
  const paths = dimensions.map(({ path }) => path);
  const twice = paths.find((path, place) => paths.indexOf(path) !== place);
  if (twice !== undefined) throw refused(`"${twice}" is varied twice. Valid: every option once.`);
  return dimensions;
}

export function parseVary(text: string, preset: Preset): Dimension {
  const split = text.indexOf("=");
  if (split < 1) throw refused(`"${text}" does not say what is varied. ${FORMS}`);
  const [path, values] = [text.slice(0, split).trim(), text.slice(split + 1).trim()];
  const place = findOption(preset, path);
  const range = RANGE.exec(values);
  if (range !== null) return rangeOf(path, range, isWhole(preset, place), text);
  if (values.includes("..")) throw refused(`"${text}" is no range of numbers. ${FORMS}`);
  return choicesOf(path, values, text);
}

function rangeOf(path: string, range: RegExpExecArray, whole: boolean, text: string): Dimension {
  const [low, high, isLog] = [Number(range[1]), Number(range[2]), range[3] !== undefined];
  if (!(low < high)) throw refused(`"${text}" ends where it begins, or before. Valid: LOW < HIGH.`);
  if (isLog && low <= 0) throw refused(`"${text}" goes by factors from ${low}. Valid: LOW > 0.`);
  if (whole && !(Number.isSafeInteger(low) && Number.isSafeInteger(high)))
    throw refused(`"${text}": the option takes whole numbers. Valid: whole numbers at both ends.`);
  return { kind: "range", path, low, high, isLog, isWhole: whole };
}

function choicesOf(path: string, values: string, text: string): Dimension {
  const parsed = values.split(",").map((value) => scalarOf(value.trim()));
  const distinct = new Set(parsed.map((value) => JSON.stringify(value)));
  if (distinct.size < 2 || distinct.size < parsed.length || parsed.includes(""))
    throw refused(`"${text}" does not give different values to choose from. ${FORMS}`);
  return { kind: "choice", path, values: parsed };
}

/** As YAML would read it. */
function scalarOf(text: string): Json {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  return new RegExp(`^${NUMBER}$`).test(text) ? Number(text) : text;
}

/** As the option's own schema says: a number that happens to be whole today need not stay so. */
function isWhole({ service, stages }: Preset, { path }: OptionPlace): boolean {
  const [top, inside, place, ...rest] = path;
  if (top === "input") return saysWhole(jsonSchemaOf(presetSchema), path);
  if (top === "service") return saysWhole(jsonSchemaOf(serviceNamed(service.name).options), path.slice(1));
  const stage = stageNamed(inside);
  const action = stage === undefined ? undefined : stages[stage][Number(place)]?.action;
  if (stage === undefined || action === undefined) return false;
  return saysWhole(jsonSchemaOf(definitionOf(stage, action).options), rest);
}

function saysWhole(schema: JsonObject, path: readonly (string | number)[]): boolean {
  const words = expectedAt(schema, path).split(/[^a-z]+/);
  return words.includes("integer") && !words.includes("number");
}

function refused(message: string): MemoryError {
  return new MemoryError("option_invalid", message);
}
