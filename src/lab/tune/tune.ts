/**
 * Can the numbers of a design be chosen better, and is what they gain more than luck? Options of a preset are searched over a
 * data set; what is reported was measured on cases that the setting was not chosen on (cross-validate.ts). A tune that was
 * stopped goes on where it was: every score is on disk as soon as it is known.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import type { Json } from "../../base/json.ts";
import { loadPreset } from "../../preset/load.ts";
import type { Preset } from "../../preset/preset.ts";
import { presetModel } from "../../preset/preset-model.ts";
import type { Dataset, DatasetKind } from "../dataset.ts";
import { openDataset } from "../datasets/open-dataset.ts";
import { labEmbedder } from "../run/lab-embedder.ts";
import { isReplayable, recordedModel } from "../run/recorded-model.ts";
import { type CaseDeps, openCaseMemories } from "./case-memories.ts";
import { type CaseScorer, caseScorer } from "./case-scorer.ts";
import { crossValidate, type Validated } from "./cross-validate.ts";
import type { Dimension } from "./dimension.ts";
import { checkFolds } from "./folds.ts";
import { findOption } from "./option-paths.ts";
import { overridePreset } from "./override-preset.ts";
import { parseVaries } from "./parse-vary.ts";
import { presetHash, writingHash } from "./preset-hash.ts";
import { openScoreFile, type ScoreFile } from "./score-file.ts";
import type { Setting } from "./setting.ts";
import { measureKs } from "./tune-measure.ts";
import { type TuneProgress, tunePace } from "./tune-pace.ts";

/** Of the lines of scores; another number makes older ones unknown. */
const FORMAT = 1;

export interface TuneJob {
  /** As `openDataset` takes it: KIND=PATH[,PATH…]. */
  readonly dataset: string;
  /** A preset's name, or the path of a YAML file. */
  readonly preset: string;
  /** PATH=LOW..HIGH[:log] or PATH=a,b,c, each. */
  readonly vary: readonly string[];
  readonly measure: string;
  readonly folds: number;
  /** Most settings that each search scores. */
  readonly tries: number;
  readonly seed: number;
  /** The folder of vectors and scores. */
  readonly cache: string;
  /** What an earlier tune scored is thrown away. */
  readonly fresh?: boolean | undefined;
}

export interface TuneOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TuneProgress) => void) | undefined;
  /** Told how many scores of an earlier tune are used, or that they are not those of today's program and were thrown away. */
  readonly onFound?: ((count: number, areOfToday: boolean) => void) | undefined;
  /** Where keys are looked up. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface ChangedOption {
  readonly path: string;
  readonly from: Json;
  readonly to: Json;
}

export interface TuneReport extends Validated {
  readonly preset: { readonly name: string; readonly hash: string };
  readonly dataset: {
    readonly kind: DatasetKind;
    readonly name: string;
    readonly hash: string;
    readonly cases: number;
  };
  readonly measure: string;
  readonly tries: number;
  readonly seed: number;
  /** The preset's own values of what was varied. */
  readonly start: Setting;
  /** What the setting to use changes. */
  readonly changed: readonly ChangedOption[];
}

export async function tune(job: TuneJob, options: TuneOptions = {}): Promise<TuneReport> {
  const { measure, folds, tries, seed } = job;
  const { env, signal, onProgress } = options;
  checkTries(tries);
  const preset = await loadPreset(job.preset);
  const dimensions = parseVaries(job.vary, preset);
  checkEnds(preset, dimensions);
  const ks = measureKs(measure);
  const dataset = await openDataset(job.dataset);
  // Known before hours are spent: those with questions that expect an answer can be cases of a fold at most.
  const cases = dataset.cases.filter(({ questions }) =>
    questions.some(({ expects }) => expects === "answer"),
  );
  checkFolds(cases.length, folds);
  const start: Setting = Object.fromEntries(
    dimensions.map(({ path }) => [path, findOption(preset, path).value]),
  );
  const { modelOf, chat } = thinking(preset, dataset, env);
  const embedder = await labEmbedder(preset, { cache: job.cache, env });
  const deps = { embedder: embedder.set, env, signal };
  const memories = openCaseMemories((one) => ({ ...deps, model: modelOf(one) }));
  try {
    const file = scoresOf(job, [dataset.hash, presetHash(preset), embedder.named, chat]);
    const pace = tunePace(dimensions.some(isWriting(preset)), onProgress);
    const scorer = caseScorer({
      preset,
      cases,
      measure,
      ks,
      memories,
      file,
      signal,
      onMeasured: pace.measured,
    });
    await checkFound(scorer, start, file, options);
    const validated = await crossValidate({
      ...{ dimensions, start, tries, seed, folds },
      cases: cases.map(({ id }) => id),
      score: scorer.score,
      onProgress: pace.advance,
    });
    const { kind, name, hash } = dataset;
    return {
      preset: { name: preset.name, hash: presetHash(preset) },
      dataset: { kind, name, hash, cases: cases.length },
      ...{ measure, tries, seed, start },
      ...validated,
      changed: changedOptions(start, validated.chosen),
    };
  } finally {
    await memories.close();
    await embedder.close();
  }
}

export function changedOptions(start: Setting, chosen: Setting): ChangedOption[] {
  return Object.entries(chosen)
    .map(([path, to]) => ({ path, from: start[path] ?? null, to }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}

/** The first try is the preset as it is. */
function checkTries(tries: number): void {
  if (Number.isSafeInteger(tries) && tries >= 2) return;
  throw new MemoryError(
    "option_invalid",
    `Tries: ${tries}. The first is the preset as it is, so that nothing else would be tried. Valid: a whole number from 2 on.`,
  );
}

/** Every end of a range and every choice fits by itself; else the loader's reason is told at once. */
function checkEnds(preset: Preset, dimensions: readonly Dimension[]): void {
  for (const dimension of dimensions) {
    const values = dimension.kind === "choice" ? dimension.values : [dimension.low, dimension.high];
    for (const value of values) overridePreset(preset, { [dimension.path]: value });
  }
}

/** Whether a change of it changes what is remembered. */
function isWriting(preset: Preset): (dimension: Dimension) => boolean {
  const own = writingHash(preset);
  return (dimension) => {
    const values = dimension.kind === "choice" ? dimension.values : [dimension.low, dimension.high];
    return values.some((value) => writingHash(overridePreset(preset, { [dimension.path]: value })) !== own);
  };
}

/** The preset's own model, else what was recorded of another one, else rules. */
function thinking(preset: Preset, { recorded }: Dataset, env: TuneOptions["env"]) {
  const model = presetModel(preset, env ?? {});
  if (model !== undefined) return { modelOf: () => model, chat: `${model.provider}:${model.id}` };
  const replayed = recorded !== undefined && isReplayable(preset) ? recorded : undefined;
  const modelOf = ({ turns }: Parameters<CaseDeps>[0]) => replayed && recordedModel(turns, replayed);
  return { modelOf, chat: replayed === undefined ? null : "recorded" };
}

/** One file for all that decides scores beside the setting. */
function scoresOf({ cache, measure, fresh }: TuneJob, decides: readonly unknown[]): ScoreFile {
  const name = createHash("sha256")
    .update(JSON.stringify([FORMAT, measure, ...decides]))
    .digest("hex");
  return openScoreFile(join(cache, "tune", `${name.slice(0, 32)}.jsonl`), fresh === true);
}

/** Scores that the program of today would not find are not mixed with those it does. */
async function checkFound(
  scorer: CaseScorer,
  start: Setting,
  file: ScoreFile,
  { onFound }: TuneOptions,
): Promise<void> {
  if (file.found === 0) return;
  const areOfToday = await scorer.isFileOfToday(start);
  if (!areOfToday) file.clear();
  onFound?.(file.found, areOfToday);
}
