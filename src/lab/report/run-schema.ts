/** Is this what a run left behind? Results may come from another version or another machine, so they are checked once, here. */
import { z } from "zod";
import { DATASET_KINDS } from "../dataset.ts";
import type { QuestionLine, ResultLine, RunSummary } from "../result.ts";

const amounts = z.record(z.string(), z.number());
const measured = z.record(z.string(), z.number().nullable());
const point = z.object({ number: z.number(), of: z.number(), turns: z.number() });
export const modelUseSchema = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  usd: z.number().nullable(),
});
const estimate = z.object({ mean: z.number(), low: z.number(), high: z.number(), count: z.number() });
export const estimatesSchema = z.record(z.string(), estimate);

const questionLine: z.ZodType<QuestionLine> = z.object({
  type: z.literal("question"),
  case: z.string(),
  question: z.string(),
  text: z.string(),
  category: z.string(),
  expects: z.enum(["answer", "abstain"]),
  point,
  askedAt: z.number().optional(),
  evidence: z.array(z.string()),
  answers: z.array(z.string()),
  trap: z.string().optional(),
  hits: z.array(
    z.object({
      refs: z.array(z.string()),
      score: z.number(),
      tokens: z.number(),
      text: z.string(),
      whole: z.string().optional(),
      at: z.number().optional(),
    }),
  ),
  further: z.array(z.object({ refs: z.array(z.string()), tokens: z.number() })).optional(),
  contextTokens: z.number().nullable(),
  confidence: z.number().nullable(),
  measures: measured,
  corrected: measured.optional(),
  answer: z.string().optional(),
  model: modelUseSchema.optional(),
  error: z.string().optional(),
  times: z.object({ queryMs: z.number(), stagesMs: amounts }),
});

const buildLine = z.object({
  type: z.literal("build"),
  case: z.string(),
  point,
  entries: z.number(),
  storage: amounts,
  model: modelUseSchema,
  times: z.object({ buildMs: z.number(), stagesMs: amounts }),
});

export const resultLineSchema: z.ZodType<ResultLine> = z.union([questionLine, buildLine]);

export const runSummarySchema: z.ZodType<RunSummary> = z.object({
  format: z.literal(1),
  run: z.string(),
  preset: z.object({ name: z.string(), hash: z.string() }),
  dataset: z.object({
    kind: z.enum(DATASET_KINDS),
    name: z.string(),
    hash: z.string(),
    cases: z.number(),
    turns: z.number(),
    questions: z.number(),
    leftOut: amounts,
  }),
  embedder: z.object({ id: z.string(), hash: z.string() }).nullable(),
  models: z.object({ chat: z.string().nullable(), judges: z.array(z.string()) }),
  seed: z.number(),
  git: z.object({ commit: z.string(), isClean: z.boolean() }).nullable(),
  machine: z.object({
    node: z.string(),
    platform: z.string(),
    cpus: z.number(),
    cpu: z.string(),
    memoryGb: z.number(),
  }),
  version: z.string(),
  overall: estimatesSchema,
  byCategory: z.record(z.string(), estimatesSchema),
  corrected: estimatesSchema.nullable(),
  abstention: estimate.nullable(),
  byPoint: z.array(
    z.object({
      point: z.number(),
      turns: z.number(),
      overall: estimatesSchema,
      entries: z.number(),
      bytes: z.number(),
      queryMsP50: z.number(),
    }),
  ),
  cost: z.object({
    buildMs: z.number(),
    msPerTurn: z.number(),
    queryMsP50: z.number(),
    queryMsP95: z.number(),
    stagesMs: amounts,
    peakMemoryMb: z.number(),
    bytesOnDisk: z.number(),
    entries: z.number(),
    build: modelUseSchema,
    query: modelUseSchema,
  }),
});
