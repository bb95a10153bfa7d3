/**
 * Where do presets come from? A name means a file of the package (presets/ and presets/table/), a path means a file of the
 * caller's own. A preset may extend another: what it writes takes the place of what the other wrote, key by key at the top,
 * in `service` (of the same name), in `models` and in `input`, and stage by stage.
 */
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { MemoryError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";
import { openPrompts } from "../tasks/prompt-library.ts";
import { TASK_LANGUAGES } from "../tasks/task.ts";
import { asObject } from "./option-table.ts";
import { LOADING_KEYS, type Preset } from "./preset.ts";
import { type Problem, refuse } from "./problem.ts";
import { parseRecommended, type Recommended } from "./recommended.ts";
import { resolvePreset } from "./resolve.ts";
import { parseYaml, type YamlFile } from "./yaml-file.ts";

/** The same place from src/preset/ and from dist/preset/. */
const PACKAGE_FOLDER = fileURLToPath(new URL("../../presets", import.meta.url));
const RECOMMENDED = "recommended.yaml";
/** More than anybody derives one preset from another; what goes on is a circle. */
const MAX_PARENTS = 8;

/** By name (`mem0`) or path (`./my.yaml`). */
export async function loadPreset(nameOrPath: string): Promise<Preset> {
  const path = await findPreset(nameOrPath);
  return parsePreset(await readText(path), path);
}

/** The same from a text; `file` is named in errors, and relative paths start from it. */
export async function parsePreset(text: string, file: string): Promise<Preset> {
  const own = parseYaml(text, file);
  const value = await withParents(own, 0);
  const written = asObject(value) ?? {};
  const { defaults } = written;
  if (defaults !== undefined && defaults !== "recommended") {
    refuse(own, [
      { path: ["defaults"], message: `is ${JSON.stringify(defaults)}. ${LOADING_KEYS.defaults}` },
    ]);
  }
  const folder = typeof written.prompts === "string" ? resolve(dirname(file), written.prompts) : null;
  const recommended = defaults === undefined ? undefined : await loadRecommended();
  const preset = resolvePreset({ ...own, value }, folder, recommended);
  const wrong = await promptProblems(preset);
  if (wrong.length > 0) refuse(own, wrong);
  return preset;
}

/** Names of the package's presets, with the folder for those in one: table/mem0. */
export async function listPresets(): Promise<string[]> {
  const files = await readdir(PACKAGE_FOLDER, { recursive: true });
  return files
    .map((file) => file.replaceAll("\\", "/"))
    .filter(
      (file) => file.endsWith(".yaml") && basename(file) !== RECOMMENDED && !file.startsWith("features/"),
    )
    .map((file) => file.slice(0, -".yaml".length))
    .sort();
}

export async function loadRecommended(): Promise<Recommended> {
  const path = join(PACKAGE_FOLDER, RECOMMENDED);
  return parseRecommended(parseYaml(await readText(path), path).value);
}

async function findPreset(nameOrPath: string): Promise<string> {
  if (/\.ya?ml$/.test(nameOrPath) || isAbsolute(nameOrPath)) return resolve(nameOrPath);
  const names = await listPresets();
  if (names.includes(nameOrPath)) return join(PACKAGE_FOLDER, `${nameOrPath}.yaml`);
  throw new MemoryError(
    "unknown_name",
    `There is no preset "${nameOrPath}". ${validNames(nameOrPath, names)} A file of your own is named by its path, as "./my.yaml".`,
  );
}

async function withParents(file: YamlFile, depth: number): Promise<JsonObject> {
  const written = asObject(file.value);
  if (written === undefined) {
    return refuse(file, [
      { path: [], message: "A preset is a map of keys. Valid: name, summary, service, stages …" },
    ]);
  }
  const { extends: parent, ...own } = written;
  if (parent === undefined) return own;
  if (typeof parent !== "string" || depth === MAX_PARENTS) {
    const message =
      depth === MAX_PARENTS
        ? "The presets extend each other in a circle."
        : `must be a name. ${LOADING_KEYS.extends}`;
    return refuse(file, [{ path: ["extends"], message }]);
  }
  const path = await findPreset(/\.ya?ml$/.test(parent) ? resolve(dirname(file.file), parent) : parent);
  return merge(await withParents(parseYaml(await readText(path), path), depth + 1), own);
}

function merge(parent: JsonObject, own: JsonObject): JsonObject {
  const sameService =
    asObject(parent.service)?.name === (asObject(own.service)?.name ?? asObject(parent.service)?.name);
  const inside = (key: string): JsonObject =>
    own[key] === undefined ? {} : { [key]: { ...asObject(parent[key]), ...asObject(own[key]) } };
  return {
    ...parent,
    ...own,
    ...(sameService ? inside("service") : {}),
    ...inside("models"),
    ...inside("input"),
    ...inside("stages"),
  };
}

/** Prompts that an action names must be there, in every language, with the right holes. */
async function promptProblems({ stages, prompts }: Preset): Promise<Problem[]> {
  const library = openPrompts(prompts === null ? [] : [prompts]);
  const problems: Problem[] = [];
  for (const [stage, actions] of Object.entries(stages)) {
    for (const { action, claims } of actions) {
      for (const { task, prompt } of claims.prompts ?? []) {
        for (const language of TASK_LANGUAGES) {
          try {
            await library.get({ ...task, prompt }, language);
          } catch (error) {
            if (!MemoryError.is(error)) throw error;
            problems.push({ path: ["stages", stage], message: `The action ${action}: ${error.message}` });
          }
        }
      }
    }
  }
  return problems;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new MemoryError(
      "preset_invalid",
      `The file ${path} could not be read. Valid: the path of a YAML file.`,
      { cause },
    );
  }
}
