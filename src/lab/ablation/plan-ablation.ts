/**
 * Which part of a design earns its keep? One dimension at a time is replaced by everything that could stand there, and all
 * else stays as it is. Whether a combination fits is the loader's to say: what it refuses is in the plan with its reason, so
 * that a plan tells what was not tried, too.
 */
import { isAbsolute, join, relative, resolve } from "node:path";
import { stringify } from "yaml";
import { MemoryError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { presetDiff } from "../../preset/diff.ts";
import { loadPreset, loadRecommended, parsePreset } from "../../preset/load.ts";
import { asObject } from "../../preset/option-table.ts";
import type { Preset } from "../../preset/preset.ts";
import { type Choice, choicesIn } from "./choices.ts";
import { combinationName, DIMENSIONS, type Dimension } from "./run-name.ts";

export interface PlannedRun {
  /** What differs from the base; null: the base itself. */
  readonly dimension: Dimension | null;
  /** What stands there instead. */
  readonly label: string;
  /** Of the combination: MS-…__PR-…__POR-…__PI-…__POI-… */
  readonly name: string;
  /** The preset file: where it is to be written, and its text. The base is loaded by its own name. */
  readonly file: string;
  readonly text: string | null;
}

export interface Misfit {
  readonly dimension: Dimension;
  readonly label: string;
  /** Why the loader refuses it. */
  readonly reason: string;
}

export interface AblationPlan {
  readonly base: PlannedRun;
  readonly variants: readonly PlannedRun[];
  readonly misfits: readonly Misfit[];
  /** What the base has already: nothing is to be run for it. */
  readonly same: readonly { readonly dimension: Dimension; readonly label: string }[];
}

export interface PlanOptions {
  /** Where the variants' files are to lie. */
  readonly folder: string;
  /** @default all five, in their order */
  readonly dimensions?: readonly Dimension[] | undefined;
}

export async function planAblation(nameOrPath: string, options: PlanOptions): Promise<AblationPlan> {
  const base = await loadPreset(nameOrPath);
  const recommended = await loadRecommended();
  const wanted = DIMENSIONS.filter((one) => options.dimensions?.includes(one) ?? true);
  const variants: PlannedRun[] = [];
  const misfits: Misfit[] = [];
  const same: { dimension: Dimension; label: string }[] = [];
  const names = new Set([combinationName(base)]);
  for (const choice of wanted.flatMap((dimension) => choicesIn(dimension, base, recommended))) {
    const { dimension, label } = choice;
    const tried = await tryChoice(choice, nameOrPath, base, options.folder);
    if ("reason" in tried) misfits.push({ dimension, label, reason: tried.reason });
    else if (isSame(base, tried.preset)) same.push({ dimension, label });
    else {
      const plain = combinationName(tried.preset);
      const name = names.has(plain) ? combinationName(tried.preset, dimension) : plain;
      names.add(name);
      variants.push({ dimension, label, name, ...fileOf(choice, name, nameOrPath, base, options.folder) });
    }
  }
  const name = combinationName(base);
  const file = /\.ya?ml$/.test(nameOrPath) ? resolve(nameOrPath) : nameOrPath;
  return { base: { dimension: null, label: base.name, name, file, text: null }, variants, misfits, same };
}

async function tryChoice(
  choice: Choice,
  parent: string,
  base: Preset,
  folder: string,
): Promise<{ readonly preset: Preset } | { readonly reason: string }> {
  const { file, text } = fileOf(choice, "tried", parent, base, folder);
  try {
    return { preset: await parsePreset(text, file) };
  } catch (error) {
    if (!MemoryError.is(error) || error.code !== "preset_invalid") throw error;
    return { reason: reasonOf(error) };
  }
}

/** A file that extends the base: what it changes is all that stands in it, and no key of the base's gets into it. */
function fileOf(
  { dimension, label, written }: Choice,
  name: string,
  parent: string,
  base: Preset,
  folder: string,
): { readonly file: string; readonly text: string } {
  const isFile = /\.ya?ml$/.test(parent) || isAbsolute(parent);
  const own: JsonObject = {
    name: name.toLowerCase().replace(/[^a-z0-9_]+/g, "_"),
    summary: `${base.name} with ${dimension} ${label}.`,
    about: null,
    extends: isFile ? relative(resolve(folder), resolve(parent)) : parent,
    // What the other action or service does not say is as recommended; what the base says stays.
    defaults: "recommended",
    ...written,
  };
  return { file: join(resolve(folder), `${name}.yaml`), text: stringify(own) };
}

/** Where a design keeps its memories is a name, and no difference. */
function isSame(base: Preset, variant: Preset): boolean {
  return presetDiff(base, variant).every(
    ({ part, path }) =>
      (part === "service" && path === "collection_name") ||
      // Insert methods that stand ready and that nobody uses.
      part === "memory_insert",
  );
}

function reasonOf({ message, details }: MemoryError): string {
  const { problems } = details;
  if (!Array.isArray(problems)) return message;
  return problems.map((one: Json) => String(asObject(one)?.message ?? "")).join(" ");
}
