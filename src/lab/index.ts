/** The benchmark laboratory, for programs: designs over evaluation data, measured without a judge. */
export { type AblationPlan, planAblation } from "./ablation/plan-ablation.ts";
export { type Ablation, runAblation } from "./ablation/run-ablation.ts";
export type {
  Dataset,
  DatasetKind,
  LabCase,
  Labels,
  LabQuestion,
  LabTurn,
  RecordedKnowledge,
} from "./dataset.ts";
export { DATASET_KINDS } from "./dataset.ts";
export { findDatasets } from "./datasets/find-datasets.ts";
export { openDataset } from "./datasets/open-dataset.ts";
export { type JudgeOptions, judgeRun } from "./judge/judge-run.ts";
export type { JudgedRun } from "./judge/judged-run.ts";
export { measureQuestion, type Seen } from "./measures/measure-question.ts";
export { type SummaryHead, summarize } from "./measures/summarize.ts";
export { writeReport } from "./report/write-report.ts";
export type {
  BuildLine,
  Estimate,
  ModelUse,
  QuestionLine,
  ResultLine,
  RunSummary,
  SeenHit,
} from "./result.ts";
export { type Job, runName } from "./run/job.ts";
export { type CaseOptions, type OpenCase, openCase } from "./run/open-case.ts";
export { type RunOptions, runJob } from "./run/run-job.ts";
export { type JobOutcome, type JobsOptions, type JobsProgress, runJobs } from "./run/run-jobs.ts";
export type { RunProgress } from "./run/time-left.ts";
export { pointsOf } from "./schedule.ts";
