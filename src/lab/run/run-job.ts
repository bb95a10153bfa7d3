/**
 * One run, from the data set to its summary, in this process. It goes on where an earlier run of the same name and the same
 * arguments was stopped: what has been asked is not asked again, a case that was half asked is lived again, and the results are
 * the same as if nothing had stopped it, but for the times.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import { throwIfAborted } from "../../models/abort.ts";
import type { ChatModel } from "../../models/model.ts";
import { openNamedModel } from "../../models/named-model.ts";
import { loadPreset } from "../../preset/load.ts";
import type { Preset } from "../../preset/preset.ts";
import { presetModel } from "../../preset/preset-model.ts";
import type { Dataset, LabCase } from "../dataset.ts";
import { openDataset } from "../datasets/open-dataset.ts";
import { summarize } from "../measures/summarize.ts";
import { runSummarySchema } from "../report/run-schema.ts";
import type { RunSummary } from "../result.ts";
import { type Stop, stopsOf } from "../schedule.ts";
import { overridePreset } from "../tune/override-preset.ts";
import { presetHash } from "../tune/preset-hash.ts";
import { type Job, jobSchema } from "./job.ts";
import { type LabEmbedder, labEmbedder } from "./lab-embedder.ts";
import { type Built, openCase } from "./open-case.ts";
import { isReplayable, recordedModel } from "./recorded-model.ts";
import { openResults, type ResultsFile, readResults } from "./results-file.ts";
import { claimRun } from "./run-identity.ts";
import { lockRun } from "./run-lock.ts";
import { surroundings } from "./surroundings.ts";
import type { RunProgress } from "./time-left.ts";

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Where keys are looked up. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

export const RESULTS_FILE = "results.jsonl";
export const SUMMARY_FILE = "summary.json";

export async function runJob(given: Job, options: RunOptions = {}): Promise<RunSummary> {
  const job = parseInput(jobSchema, given, "job of a run");
  const preset = await presetOf(job);
  const whole = await openDataset(job.dataset);
  const dataset = { ...whole, cases: whole.cases.slice(0, job.limit?.cases) };
  const { env = {} } = options;
  const embedder = await labEmbedder(preset, { cache: job.cache, env });
  try {
    const { modelOf, chat } = thinking(job, preset, dataset, env);
    const ks = [...new Set(job.ks)].sort((a, b) => a - b);
    const folder = join(job.out, job.name);
    const identity: JsonObject = {
      ...{ dataset: dataset.hash, preset: presetHash(preset), seed: job.seed, ks, points: job.points },
      ...{ embedder: embedder.named, model: chat, cases: job.limit?.cases ?? null },
    };
    const unlock = await lockRun(folder);
    try {
      await claimRun(folder, identity, job.fresh === true);
      const file = join(folder, RESULTS_FILE);
      const work = { job: { ...job, ks }, preset, dataset, embedder, modelOf, options };
      const hasRun = await goOn(work, await openResults(file));
      const { peakMemoryMb, ...where } =
        (hasRun ? undefined : await finishedWhere(folder)) ?? (await runningHere());
      const head = {
        format: 1 as const,
        run: job.name,
        preset: { name: preset.name, hash: identity.preset as string },
        dataset: described(dataset),
        embedder: embedder.named,
        models: { chat, judges: [] },
        seed: job.seed,
        ...where,
      };
      const summary = summarize(head, await readResults(file), { peakMemoryMb });
      await writeWhole(join(folder, SUMMARY_FILE), `${JSON.stringify(summary, null, 2)}\n`);
      return summary;
    } finally {
      await unlock();
    }
  } finally {
    await embedder.close();
  }
}

async function presetOf({ preset: name, overrides }: Job): Promise<Preset> {
  const preset = await loadPreset(name);
  return overrides === undefined ? preset : overridePreset(preset, overrides);
}

interface Thinking {
  /** Who thinks in a case; undefined: rules. */
  readonly modelOf: (one: LabCase) => ChatModel | undefined;
  readonly chat: string | null;
}

/** The model that was asked for, else the preset's, else what was recorded of another one, else rules. */
function thinking(
  { model: asked, baseUrl }: Job,
  preset: Preset,
  { recorded }: Dataset,
  env: Readonly<Record<string, string | undefined>>,
): Thinking {
  const model = asked === undefined ? presetModel(preset, env) : openNamedModel(asked, { env, baseUrl });
  const { chat } = preset.models;
  if (model !== undefined)
    return { modelOf: () => model, chat: asked ?? `${chat?.endpoint ?? model.provider}:${model.id}` };
  if (recorded !== undefined && isReplayable(preset))
    return { modelOf: ({ turns }) => recordedModel(turns, recorded), chat: "recorded" };
  return { modelOf: () => undefined, chat: null };
}

interface Work {
  readonly job: Job;
  readonly preset: Preset;
  readonly dataset: Dataset;
  readonly embedder: LabEmbedder;
  readonly modelOf: Thinking["modelOf"];
  readonly options: RunOptions;
}

type Where = Awaited<ReturnType<typeof surroundings>> & { readonly peakMemoryMb: number };

async function runningHere(): Promise<Where> {
  const peakMemoryMb = Math.round(process.resourceUsage().maxRSS / 102.4) / 10;
  return { ...(await surroundings()), peakMemoryMb };
}

/** Of a run that was finished before: whoever only asks for its summary again has measured nothing of it. */
async function finishedWhere(folder: string): Promise<Where | undefined> {
  const written: unknown = await readFile(join(folder, SUMMARY_FILE), "utf8")
    .then(JSON.parse)
    // None, or a broken one, which is about to be made anew.
    .catch(() => undefined);
  const summary = runSummarySchema.safeParse(written).data;
  if (summary === undefined) return undefined;
  const { git, machine, version, cost } = summary;
  return { git, machine, version, peakMemoryMb: cost.peakMemoryMb };
}

/** Case by case, what is not there yet; says whether anything was missing. */
async function goOn(work: Work, results: ResultsFile): Promise<boolean> {
  const { job, dataset, options } = work;
  try {
    const cases = dataset.cases.map((one) => {
      const stops = stopsOf(one, job.points);
      return { one, stops, upTo: stops.findLastIndex((stop) => !isDone(one, stop, results)) + 1 };
    });
    const count = progressOf(cases, results, options);
    for (const { one, stops, upTo } of cases) {
      throwIfAborted(options.signal, "The run");
      if (upTo > 0) await liveThrough(work, one, stops.slice(0, upTo), results, count);
      await results.flush();
    }
    return cases.some(({ upTo }) => upTo > 0);
  } finally {
    await results.close();
  }
}

function isDone(one: LabCase, { point, isPoint, questions }: Stop, results: ResultsFile): boolean {
  const hasBuilt = !isPoint || results.has({ type: "build", case: one.id, point });
  return (
    hasBuilt &&
    questions.every(({ id }) => results.has({ type: "question", case: one.id, point, question: id }))
  );
}

async function liveThrough(
  { job, preset, embedder, modelOf, options }: Work,
  one: LabCase,
  stops: readonly Stop[],
  results: ResultsFile,
  count: Counting,
): Promise<void> {
  const { signal, env } = options;
  const opened = await openCase(one, {
    ...{ preset, embedder: embedder.set, model: modelOf(one), env, signal },
    onTurns: count.turns,
  });
  try {
    let built: Built | undefined;
    for (const { point, isPoint, questions } of stops) {
      built = added(built, await opened.live(point.turns));
      if (isPoint) {
        const line = { type: "build", case: one.id, point, ...built } as const;
        if (!results.has(line)) await results.append(line);
        built = undefined;
      }
      for (const question of questions) {
        throwIfAborted(signal, "The run");
        if (results.has({ type: "question", case: one.id, point, question: question.id })) continue;
        await results.append(await opened.ask(question, job.ks, point));
        count.question();
      }
    }
  } finally {
    await opened.close();
  }
}

/** What a stretch took, with what the one before it took on the way to the same point. */
function added(before: Built | undefined, now: Built): Built {
  if (before === undefined) return now;
  const stages = new Set([...Object.keys(before.times.stagesMs), ...Object.keys(now.times.stagesMs)]);
  const sum = (stage: string): number =>
    (before.times.stagesMs[stage] ?? 0) + (now.times.stagesMs[stage] ?? 0);
  return {
    ...now,
    model: {
      calls: before.model.calls + now.model.calls,
      inputTokens: before.model.inputTokens + now.model.inputTokens,
      outputTokens: before.model.outputTokens + now.model.outputTokens,
      usd: before.model.usd === null || now.model.usd === null ? null : before.model.usd + now.model.usd,
    },
    times: {
      buildMs: before.times.buildMs + now.times.buildMs,
      stagesMs: Object.fromEntries([...stages].map((stage) => [stage, sum(stage)])),
    },
  };
}

interface Counting {
  turns(count: number): void;
  question(): void;
}

function progressOf(
  cases: readonly { readonly one: LabCase; readonly stops: readonly Stop[]; readonly upTo: number }[],
  results: ResultsFile,
  { onProgress }: RunOptions,
): Counting {
  const total = { turns: 0, questions: 0 };
  const done = { turns: 0, questions: 0 };
  const spent = { turnsMs: 0, turns: 0, questionsMs: 0, questions: 0 };
  for (const { one, stops, upTo } of cases) {
    total.turns += one.turns.length;
    if (upTo === 0) done.turns += one.turns.length;
    for (const { point, questions } of stops) {
      total.questions += questions.length;
      done.questions += questions.filter(({ id: question }) =>
        results.has({ type: "question", case: one.id, point, question }),
      ).length;
    }
  }
  let last = performance.now();
  const tell = (): number => {
    const passed = performance.now() - last;
    last = performance.now();
    return passed;
  };
  const report = (): void => onProgress?.({ done: { ...done }, total, spent: { ...spent } });
  report();
  return {
    turns(count) {
      done.turns += count;
      spent.turns += count;
      spent.turnsMs += tell();
      report();
    },
    question() {
      done.questions++;
      spent.questions++;
      spent.questionsMs += tell();
      report();
    },
  };
}

function described({ kind, name, hash, cases, leftOut }: Dataset): RunSummary["dataset"] {
  const sum = (read: (one: LabCase) => readonly unknown[]): number =>
    cases.reduce((all, one) => all + read(one).length, 0);
  return {
    ...{ kind, name, hash, leftOut, cases: cases.length },
    turns: sum(({ turns }) => turns),
    questions: sum(({ questions }) => questions),
  };
}

/** At once or not at all. */
async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}
