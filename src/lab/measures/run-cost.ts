/**
 * What did a run cost, and how large did the memories grow? Times and model calls are those of all cases together, and so are
 * sizes. Where times of single questions are told, it is by their median: one that met a busy machine must not count for ten.
 */
import type { BuildLine, ModelUse, QuestionLine, RunSummary } from "../result.ts";
import { quantileOf } from "./quantile.ts";

/** `questions`: each once; `builds`: every stretch of every case once, in the order of the stream. */
export function costOf(
  questions: readonly QuestionLine[],
  builds: readonly BuildLine[],
): Omit<RunSummary["cost"], "peakMemoryMb"> {
  const { turns, entries, bytes } = sizeAt(Number.POSITIVE_INFINITY, builds);
  const buildMs = sumOf(builds.map(({ times }) => times.buildMs));
  return {
    buildMs,
    msPerTurn: ratio(buildMs, turns),
    queryMsP50: medianMs(questions),
    queryMsP95: quantileMs(questions, 0.95),
    stagesMs: { ...stageMeans(builds, turns), ...stageMeans(questions, questions.length) },
    bytesOnDisk: bytes,
    entries,
    build: usedBy(builds.map(({ model }) => model)),
    query: usedBy(questions.flatMap(({ model }) => model ?? [])),
  };
}

/** How much there is at a point of the stream: each case as it was left at that point, or at the last one before it. */
export function sizeAt(
  point: number,
  builds: readonly BuildLine[],
): Pick<RunSummary["byPoint"][number], "turns" | "entries" | "bytes"> {
  const until = builds.filter((line) => line.point.number <= point);
  const left = [...new Map(until.map((line) => [line.case, line])).values()];
  return {
    turns: sumOf(left.map((line) => line.point.turns)),
    entries: sumOf(left.map(({ entries }) => entries)),
    bytes: sumOf(left.map(({ storage }) => storage.bytes ?? 0)),
  };
}

/** 0 where nothing was asked. */
export function medianMs(questions: readonly QuestionLine[]): number {
  return quantileMs(questions, 0.5);
}

function quantileMs(questions: readonly QuestionLine[], share: number): number {
  if (questions.length === 0) return 0;
  return quantileOf(Float64Array.from(questions, ({ times }) => times.queryMs).sort(), share);
}

function stageMeans(lines: readonly (QuestionLine | BuildLine)[], count: number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { times } of lines)
    for (const [stage, ms] of Object.entries(times.stagesMs)) sums[stage] = (sums[stage] ?? 0) + ms;
  return Object.fromEntries(Object.entries(sums).map(([stage, ms]) => [stage, ratio(ms, count)]));
}

/** Money is known where the price of every call is. */
function usedBy(uses: readonly ModelUse[]): ModelUse {
  const called = uses.filter(({ calls }) => calls > 0);
  const prices = called.flatMap(({ usd }) => usd ?? []);
  return {
    calls: sumOf(called.map(({ calls }) => calls)),
    inputTokens: sumOf(called.map(({ inputTokens }) => inputTokens)),
    outputTokens: sumOf(called.map(({ outputTokens }) => outputTokens)),
    usd: prices.length === called.length ? sumOf(prices) : null,
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function ratio(sum: number, count: number): number {
  return count === 0 ? 0 : sum / count;
}
