/** Runs as the laboratory leaves them behind, written by hand, for tests of whatever reads them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Estimate, ModelUse, QuestionLine, RunSummary } from "../lab/result.ts";

export const NO_MODEL: ModelUse = { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0 };

/** "83.9 (81.2–86.4), n 100" as numbers. */
export function estimated(mean: number, low: number, high: number, count = 100): Estimate {
  return { mean: mean / 100, low: low / 100, high: high / 100, count };
}

export function labQuestion(question: string, more: Partial<QuestionLine> = {}): QuestionLine {
  return {
    type: "question",
    case: "talk-1",
    question,
    text: `What about ${question}?`,
    category: "1",
    expects: "answer",
    point: { number: 1, of: 1, turns: 40 },
    evidence: ["1:1"],
    answers: ["Rome"],
    hits: [{ refs: ["1:1"], score: 0.9, tokens: 5, text: "Mia: I moved to Rome." }],
    contextTokens: 12,
    confidence: 0.9,
    measures: { "recall@5": 1, "recall@10": 1 },
    times: { queryMs: 3, stagesMs: {} },
    ...more,
  };
}

export function labSummary(preset: string, more: Partial<RunSummary> = {}): RunSummary {
  return {
    format: 1,
    run: `${preset}__talks`,
    preset: { name: preset, hash: `${preset}-hash-of-the-design` },
    dataset: {
      kind: "locomo",
      name: "talks",
      hash: "0123456789abcdef",
      cases: 1,
      turns: 40,
      questions: 100,
      leftOut: {},
    },
    embedder: null,
    models: { chat: null, judges: [] },
    seed: 7,
    git: null,
    machine: { node: "24.0.0", platform: "linux-x64", cpus: 2, cpu: "Tiny", memoryGb: 4 },
    version: "0.1.0",
    overall: {},
    byCategory: {},
    corrected: null,
    abstention: null,
    byPoint: [],
    cost: {
      buildMs: 1500,
      msPerTurn: 37.5,
      queryMsP50: 3.25,
      queryMsP95: 120,
      stagesMs: {},
      peakMemoryMb: 181.4,
      bytesOnDisk: 2_500_000,
      entries: 1234,
      build: NO_MODEL,
      query: NO_MODEL,
    },
    ...more,
  };
}

/** Gives the run's folder. */
export function writeLabRun(out: string, summary: RunSummary, lines: readonly QuestionLine[]): string {
  const folder = join(out, summary.run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "summary.json"), JSON.stringify(summary));
  writeFileSync(join(folder, "results.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return folder;
}
