/**
 * What a tune found, as a preset that can be loaded: it extends the one that was tuned and writes what changed, a stage whole as
 * presets are written. Its head tells where the numbers come from, so that nobody has to believe them.
 */
import { Document } from "yaml";
import type { Json, JsonObject } from "../../base/json.ts";
import { STAGES, type Stage } from "../../pipeline/stage.ts";
import type { Preset } from "../../preset/preset.ts";
import { percentInterval, pointsInterval } from "../report/figures.ts";
import { findOption } from "./option-paths.ts";
import { overridePreset } from "./override-preset.ts";
import type { ChangedOption, TuneReport } from "./tune.ts";

export interface TunedYaml {
  /** The command that made it. */
  readonly command: string;
  /** As `extends` names the preset: a name, or a path from where the file will lie. */
  readonly parent: string;
  readonly preset: Preset;
  readonly report: TuneReport;
}

const LINE = 110;
const VERDICTS = {
  gain: "a gain.",
  loss: "a loss: use the preset as it is.",
  chance: "no gain that can be told from chance.",
} as const;

export function tunedYaml(given: TunedYaml): string {
  const { parent, preset, report } = given;
  const data: JsonObject = {
    name: `${preset.name}_tuned`,
    summary: `Like ${preset.name}, tuned on ${report.dataset.name} by ${report.measure}.`,
    extends: parent,
    ...changedParts(preset, report.changed),
  };
  const document = new Document(data);
  document.commentBefore = headOf(given)
    .map((line) => ` ${line}`)
    .join("\n");
  return document.toString({ lineWidth: LINE });
}

function headOf({ command, report }: TunedYaml): string[] {
  const { preset, dataset, measure, folds, gain, before, verdict, changed } = report;
  return [
    `${preset.name}, tuned by: ${command.replaceAll("\n", " ")}`,
    `data set: ${dataset.kind} ${dataset.name}, ${dataset.cases} cases, sha256 ${dataset.hash}`,
    `preset: sha256 ${preset.hash} as resolved`,
    `${measure} on ${gain.count} questions as it is: ${percentInterval(before)}`,
    `gain on cases left out, ${folds.length} folds by case: ${pointsInterval(gain)}: ${VERDICTS[verdict]}`,
    ...(changed.length === 0 ? ["nothing is changed: the preset's own values were the best."] : []),
    ...changed.map(({ path, from, to }) => `${path}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`),
  ];
}

/** The keys of `input` and `service`, and the stages, that hold something that changed. */
function changedParts(preset: Preset, changed: readonly ChangedOption[]): JsonObject {
  const tuned = overridePreset(preset, Object.fromEntries(changed.map(({ path, to }) => [path, to])));
  const places = changed.map(({ path }) => findOption(preset, path).path);
  const keysOf = (part: string): string[] =>
    places.flatMap(([top, key]) => (top === part ? [String(key)] : []));
  const pick = (part: string, values: JsonObject): JsonObject => {
    const kept = Object.entries(values).filter(([key]) => keysOf(part).includes(key));
    return kept.length === 0 ? {} : { [part]: Object.fromEntries(kept) };
  };
  const stages = STAGES.filter((stage) => keysOf("stages").includes(stage)).map((stage) => {
    const touched = places.flatMap(([top, name, place]) =>
      top === "stages" && name === stage ? [place] : [],
    );
    return [stage, stageData(tuned, stage, touched)] as const;
  });
  return {
    ...pick("input", { ...tuned.input }),
    ...pick("service", tuned.service.options),
    ...(stages.length === 0 ? {} : { stages: Object.fromEntries(stages) }),
  };
}

/** Insert methods that only stand ready are left to stand ready. */
function stageData(
  { stages }: Preset,
  stage: Stage,
  touched: readonly (string | number | undefined)[],
): Json {
  return stages[stage]
    .filter(({ path: [from] }, place) => from !== "defaults" || touched.includes(place))
    .map(({ action, options }) => ({ action, ...options }));
}
