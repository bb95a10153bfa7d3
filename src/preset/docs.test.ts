/** docs/pipeline.md is written from the registries. `vitest run src/preset/docs.test.ts -u` writes it anew. */
import { expect, test } from "vitest";
import { ACTIONS } from "../actions/index.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { ActionDefinition } from "../pipeline/action.ts";
import { RIGHTS, STAGES } from "../pipeline/stage.ts";
import { VITALITY } from "../policies/vitality/index.ts";
import type { Vitality } from "../policies/vitality/vitality.ts";
import { SERVICES } from "../services/index.ts";
import type { ServiceDefinition } from "../services/service.ts";
import { listPresets, loadPreset, loadRecommended } from "./load.ts";
import { variantsOf } from "./option-table.ts";
import { LOADING_KEYS, type Preset, presetSchema } from "./preset.ts";
import type { Recommended } from "./recommended.ts";

const INTRODUCTION = `# Services, stages, actions and their options

<!-- Written from the registries by src/preset/docs.test.ts; edit a service, an action or presets/recommended.yaml, then
run that test with -u. -->

A preset is a YAML file: one service, and for each of six stages one action or a list of them. Everything that can be
written there is on this page. Every option must be written, or is taken from \`presets/recommended.yaml\` where the preset
says \`defaults: recommended\` (objects of options key by key; lists and maps are written whole); the column "recommended"
shows these values. A key that is not on this page is refused.

## Keys of a preset

A stage is written as the name of an action, as \`{ action: name, option: value, … }\`, or as a list of these. A preset that
\`extends\` another takes over what it does not write: key by key at the top, in \`service\`, \`models\` and \`input\`, and stage
by stage.`;

const RIGHTS_TEXT = `## What a stage may do

A stage is handed the store with these rights, counted for each memory entry; an action that reaches further throws
\`operation_forbidden\`. In post_insert the order is retrieve, delete, insert, and what is deleted leaves recall only when
what takes its place is stored.`;

const METHODS_TEXT = `A draft names the action that stores it; the actions of pre_insert choose the name ("default" where none does). With
\`defaults: recommended\` all of these stand ready; a preset writes one only to change its options.`;

const VITALITY_TEXT = `## Vitality policies

How alive a memory is, computed from what was observed of it and never stored. An option that takes a vitality policy is
written \`{ policy: name, … }\`; with \`defaults: recommended\` the name alone is enough.`;

test("[S0-64][S0-69] the page lists every service, action, sub-type and option, and who uses it", async () => {
  const recommended = await loadRecommended();
  const presets = await Promise.all((await listPresets()).map(loadPreset));
  const page = [
    INTRODUCTION,
    keysTable(),
    "## Services",
    ...Object.values(SERVICES).map((service) => serviceText(service, recommended, presets)),
    VITALITY_TEXT,
    ...Object.values(VITALITY).map((policy) => vitalityText(policy, recommended)),
    RIGHTS_TEXT,
    rightsTable(),
    ...STAGES.flatMap((stage) => [
      `## ${stage}`,
      ...(stage === "memory_insert" ? [METHODS_TEXT] : []),
      ...ACTIONS[stage].map((action) => actionText(action, recommended, presets)),
    ]),
  ].join("\n\n");
  await expect(`${page}\n`).toMatchFileSnapshot("../../docs/pipeline.md");
});

/** Keys at the top, and those of the small objects among them. */
function keysTable(): string {
  const rows = variantsOf(presetSchema, undefined).flatMap(({ options }) => options);
  const own = rows.map((row) =>
    row.key === "stages" || row.key === "service" ? { ...row, type: "map, see below" } : row,
  );
  const loading = Object.entries(LOADING_KEYS).map(([key, description]) => ({
    key,
    type: "string",
    description,
  }));
  const lines = [...own, ...loading].map(({ key, type, description }) => [
    `\`${key}\``,
    cell(type),
    cell(description),
  ]);
  return [["key", "type", "what it does"], ["---", "---", "---"], ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function serviceText(
  { name, summary, options, aliases }: ServiceDefinition,
  recommended: Recommended,
  presets: readonly Preset[],
): string {
  const values = recommended.service(name);
  const definition = SERVICES[name];
  const traits = definition?.traits(definition.options.parse(values));
  const users = presets.filter(({ service }) => service.name === name);
  return [
    `### ${name}`,
    summary,
    [
      `- Abilities: ${list(traits?.abilities)}`,
      `- Looks by: ${list(Object.keys(traits?.strategies ?? {}))}`,
      `- Triggers: ${list(traits?.triggers)}`,
      ...aliasText(aliases),
      `- Presets: ${list(users.map((preset) => preset.name))}`,
    ].join("\n"),
    optionTable(variantsOf(options, undefined)[0]?.options ?? [], values),
  ].join("\n\n");
}

function vitalityText({ name, summary, options }: Vitality, recommended: Recommended): string {
  const [variant] = variantsOf(options, undefined);
  return [`### ${name}`, summary, optionTable(variant?.options ?? [], recommended.vitality(name))].join(
    "\n\n",
  );
}

function actionText(
  { stage, name, summary, options, subtype, aliases, valueAliases, shorthands }: ActionDefinition,
  recommended: Recommended,
  presets: readonly Preset[],
): string {
  const uses = (preset: Preset, chosen: string | null): boolean =>
    preset.stages[stage].some(
      (one) => one.action === name && (chosen === null || one.options[subtype ?? ""] === chosen),
    );
  // Insert methods stand ready in every preset with recommended values: who uses them, drafts decide.
  const usersOf = (chosen: string | null): string =>
    stage === "memory_insert"
      ? ""
      : `- Presets: ${list(presets.filter((preset) => uses(preset, chosen)).map((preset) => preset.name))}`;
  const short = Object.entries(shorthands ?? {}).map(
    ([alias, implied]) => `\`${alias}\` for ${JSON.stringify(implied)}`,
  );
  const variants = variantsOf(options, subtype).map((variant) => {
    const values = recommended.action(stage, name, variant.subtype ?? undefined) ?? {};
    const table = optionTable(variant.options, values);
    return variant.subtype === null
      ? [usersOf(null), table].filter((part) => part !== "").join("\n\n")
      : [`#### ${subtype}: ${variant.subtype}`, usersOf(variant.subtype), table].join("\n\n");
  });
  return [
    `### ${stage}: ${name}`,
    summary,
    ...(short.length > 0 ? [`- May also be written as an action: ${short.join(", ")}`] : []),
    ...aliasText(aliases),
    ...valueAliasText(valueAliases),
    ...variants,
  ].join("\n\n");
}

function optionTable(
  rows: readonly { key: string; type: string; description: string }[],
  values: JsonObject,
): string {
  if (rows.length === 0) return "No options.";
  const lines = rows.map(({ key, type, description }) => [
    `\`${key}\``,
    cell(type),
    cell(valueText(values[key])),
    cell(description),
  ]);
  return [["option", "type", "recommended", "what it does"], ["---", "---", "---", "---"], ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function rightsTable(): string {
  const lines = STAGES.map((stage) => {
    const { retrieve, delete: remove, insert, optimize } = RIGHTS[stage];
    return [stage, retrieve, remove, insert, optimize ? "yes" : "no"];
  });
  return [
    ["stage", "retrieve", "delete", "insert", "optimize"],
    ["---", "---", "---", "---", "---"],
    ...lines,
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function aliasText(aliases: Readonly<Record<string, string>> = {}): string[] {
  const pairs = Object.entries(aliases).map(([alias, key]) => `\`${alias}\` is read as \`${key}\``);
  return pairs.length === 0 ? [] : [`- Older names: ${pairs.join(", ")}`];
}

function valueAliasText(aliases: ActionDefinition["valueAliases"] = {}): string[] {
  const pairs = Object.entries(aliases).flatMap(([key, values]) =>
    Object.entries(values).map(([alias, name]) => `\`${key}: ${alias}\` is read as \`${name}\``),
  );
  return pairs.length === 0 ? [] : [`- Older values: ${pairs.join(", ")}`];
}

function valueText(value: Json | undefined): string {
  return value === undefined ? "–" : `\`${JSON.stringify(value)}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function list(names: readonly string[] = []): string {
  return names.length === 0 ? "none" : names.join(", ");
}
