/**
 * Where do presets come from? A name means a file of the package (`bm25`, `table/scm`), a path means a file of the caller's
 * own. Everything that can be known is checked here: keys, options, what fits together, prompts.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import { parseInput } from "../base/parse-input.ts";
import { type AllFeatureOptions, allFeatureOptions } from "../services/features/index.ts";
import { openPrompts } from "../tasks/prompt-library.ts";
import { TASK_LANGUAGES } from "../tasks/task.ts";
import { inherit } from "./inherit.ts";
import { asObject } from "./option-table.ts";
import { LOADING_KEYS, type Preset } from "./preset.ts";
import { type Problem, refuse } from "./problem.ts";
import { type Recommended, readRecommended } from "./recommended.ts";
import { resolvePreset } from "./resolve.ts";
import { yamlBlocks } from "./yaml-blocks.ts";
import { parseYaml, type YamlFile } from "./yaml-file.ts";

/** The same place from src/preset/ and from dist/preset/. */
const PACKAGE_FOLDER = fileURLToPath(new URL("../../presets", import.meta.url));
const RECOMMENDED = "recommended.yaml";
/** More than anybody derives one preset from another. */
const MAX_PARENTS = 8;

/** By name (`bm25`) or path (`./my.yaml`). */
export async function loadPreset(nameOrPath: string): Promise<Preset> {
  const path = await findPreset(nameOrPath);
  return parsePreset(await readText(path), path);
}

/** The same from a text; `file` is named in errors, and relative paths start from it. */
export async function parsePreset(text: string, file: string): Promise<Preset> {
  const own = inherit(await withParents(parseYaml(text, file)));
  const written = asObject(own.value) ?? {};
  const { defaults } = written;
  if (defaults !== undefined && defaults !== "recommended") {
    refuse(own, [
      { path: ["defaults"], message: `is ${JSON.stringify(defaults)}. ${LOADING_KEYS.defaults}` },
    ]);
  }
  const recommended = defaults === undefined ? undefined : await loadRecommended();
  const preset = resolvePreset(own, recommended);
  const wrong = await promptProblems(preset);
  if (wrong.length > 0) refuse(own, wrong);
  return preset;
}

/** Names of the package's presets, with the folder for those in one: table/scm. */
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

/** Every preset asks for the same file, and many for the same blocks of it. */
let lastRecommended: { readonly text: string; readonly values: Recommended } | undefined;

export async function loadRecommended(): Promise<Recommended> {
  const path = join(PACKAGE_FOLDER, RECOMMENDED);
  const text = await readText(path);
  if (lastRecommended?.text !== text) {
    lastRecommended = { text, values: readRecommended(yamlBlocks(text, path)) };
  }
  return lastRecommended.values;
}

/** The constants of the papers' features on collections, as `withAllFeatures` takes them; "seed_001" has the seed's own. */
export async function loadFeatures(nameOrPath: string): Promise<AllFeatureOptions> {
  const path = /\.ya?ml$/.test(nameOrPath)
    ? resolve(nameOrPath)
    : join(PACKAGE_FOLDER, "features", `${nameOrPath}.yaml`);
  const { value } = parseYaml(await readText(path), path);
  return parseInput(allFeatureOptions, value, `file ${path}`, "preset_invalid");
}

async function findPreset(nameOrPath: string): Promise<string> {
  if (/\.ya?ml$/.test(nameOrPath) || isAbsolute(nameOrPath)) return resolve(nameOrPath);
  const names = await listPresets();
  // The variants' own names are known from elsewhere (seed 000 §9.5): they are found without their folder.
  const found = names.find((name) => name === nameOrPath || name === `variants/${nameOrPath}`);
  if (found !== undefined) return join(PACKAGE_FOLDER, `${found}.yaml`);
  throw new MemoryError(
    "unknown_name",
    `There is no preset "${nameOrPath}". ${validNames(nameOrPath, names)} A file of your own is named by its path, as "./my.yaml".`,
  );
}

/** The file and those it extends, child first. */
async function withParents(child: YamlFile): Promise<YamlFile[]> {
  const files: YamlFile[] = [];
  for (let file: YamlFile | undefined = child; file !== undefined; ) {
    const { file: path, value } = file;
    const written = asObject(value);
    if (written === undefined) {
      refuse(file, [
        { path: [], message: "A preset is a map of keys. Valid: name, summary, service, stages …" },
      ]);
    }
    if (files.some((known) => resolve(known.file) === resolve(path))) {
      refuse(child, [{ path: ["extends"], message: "The presets extend each other in a circle." }]);
    }
    files.push(file);
    if (files.length > MAX_PARENTS) {
      refuse(child, [
        { path: ["extends"], message: `More than ${MAX_PARENTS} presets extend each other. Valid: fewer.` },
      ]);
    }
    file = await parentOf(file, written.extends);
  }
  return files;
}

async function parentOf(file: YamlFile, parent: unknown): Promise<YamlFile | undefined> {
  if (parent === undefined) return undefined;
  if (typeof parent !== "string") {
    return refuse(file, [{ path: ["extends"], message: `must be a name. ${LOADING_KEYS.extends}` }]);
  }
  try {
    const path = await findPreset(/\.ya?ml$/.test(parent) ? resolve(dirname(file.file), parent) : parent);
    return parseYaml(await readText(path), path);
  } catch (error) {
    if (!MemoryError.is(error) || error.code !== "unknown_name") throw error;
    return refuse(file, [{ path: ["extends"], message: error.message }]);
  }
}

/** Prompts that an action names must be there, in every language, with the right holes. */
async function promptProblems({ stages, prompts }: Preset): Promise<Problem[]> {
  if (prompts !== null && (await stat(prompts).catch(() => undefined))?.isDirectory() !== true) {
    return [
      {
        path: ["prompts"],
        message: `There is no folder ${prompts}. Valid: a folder of prompt files, or null.`,
      },
    ];
  }
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
