/**
 * What does a run leave behind? One line of JSON for every question that was asked, and one summary. Lines hold what was seen
 * (which turns, which scores, how many tokens) beside what was measured of it, so that every table can be made again from
 * them, by anybody, without the data set. Times stand apart: everything else is the same in every run with the same seed.
 */
import type { DatasetKind } from "./dataset.ts";

/** One recalled memory, as far as measures need it. */
export interface SeenHit {
  /** Turns it comes from, by ref, through whatever was derived between. */
  readonly refs: readonly string[];
  readonly score: number;
  /** Tokens of what is shown of it. */
  readonly tokens: number;
  /** The beginning of what is shown of it, for readers of the report. */
  readonly text: string;
  /** All that is shown of it, where `text` is cut: answers are written from it. */
  readonly whole?: string | undefined;
  /** When it happened (epoch ms), where that is known. */
  readonly at?: number | undefined;
}

export interface QuestionLine {
  readonly type: "question";
  readonly case: string;
  readonly question: string;
  readonly text: string;
  readonly category: string;
  readonly expects: "answer" | "abstain";
  /** Which of the points of the stream it was asked at, from 1, of how many, and how many turns had been said. */
  readonly point: { readonly number: number; readonly of: number; readonly turns: number };
  /** When it was asked (epoch ms), where that is known. */
  readonly askedAt?: number | undefined;
  readonly evidence: readonly string[];
  readonly answers: readonly string[];
  /** What a careless reader would answer, where the data set tells. */
  readonly trap?: string | undefined;
  readonly hits: readonly SeenHit[];
  /**
   * What stands behind them, as far as the largest budget of tokens has room: asked for apart and beside the clock, and looked
   * at by `recall_in_N` alone. Unsaid: nothing does, there is no room, or it would take a model to tell.
   */
  readonly further?: readonly Pick<SeenHit, "refs" | "tokens">[] | undefined;
  /** Tokens of the block that the design writes for a prompt; null where it writes none. */
  readonly contextTokens: number | null;
  /** How sure the memory is that it knows (higher: surer); null where nothing was found. */
  readonly confidence: number | null;
  /** By name of measure; null: cannot be measured of this question. */
  readonly measures: Readonly<Record<string, number | null>>;
  /** The same measures by the audit's labels, where they differ. */
  readonly corrected?: Readonly<Record<string, number | null>> | undefined;
  /** With a model only. */
  readonly answer?: string | undefined;
  readonly error?: string | undefined;
  /** What models did to ask it and to answer it; unsaid: none was called. */
  readonly model?: ModelUse | undefined;
  readonly times: { readonly queryMs: number; readonly stagesMs: Readonly<Record<string, number>> };
}

/** One stretch of a stream was taken in. */
export interface BuildLine {
  readonly type: "build";
  readonly case: string;
  readonly point: { readonly number: number; readonly of: number; readonly turns: number };
  readonly entries: number;
  /** Rows by kind, and `bytes`: what all of it takes on disk. */
  readonly storage: Readonly<Record<string, number>>;
  readonly model: ModelUse;
  readonly times: { readonly buildMs: number; readonly stagesMs: Readonly<Record<string, number>> };
}

export type ResultLine = QuestionLine | BuildLine;

export interface ModelUse {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number | null;
}

/** A value with the interval that holds it in 95 of 100 draws of the questions. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Questions it was measured on. */
  readonly count: number;
}

export interface RunSummary {
  readonly format: 1;
  /** Names its folder. */
  readonly run: string;
  readonly preset: { readonly name: string; readonly hash: string };
  readonly dataset: {
    readonly kind: DatasetKind;
    readonly name: string;
    readonly hash: string;
    readonly cases: number;
    readonly turns: number;
    readonly questions: number;
    readonly leftOut: Readonly<Record<string, number>>;
  };
  readonly embedder: { readonly id: string; readonly hash: string } | null;
  readonly models: { readonly chat: string | null; readonly judges: readonly string[] };
  readonly seed: number;
  /** Commit and whether there were changes beside it; null outside a repository. */
  readonly git: { readonly commit: string; readonly isClean: boolean } | null;
  readonly machine: {
    readonly node: string;
    readonly platform: string;
    readonly cpus: number;
    readonly cpu: string;
    readonly memoryGb: number;
  };
  readonly version: string;
  /** Over the questions that expect an answer, at the last point of the stream; LoCoMo's category 5 and the like apart. */
  readonly overall: Readonly<Record<string, Estimate>>;
  readonly byCategory: Readonly<Record<string, Readonly<Record<string, Estimate>>>>;
  readonly corrected: Readonly<Record<string, Estimate>> | null;
  /** How well confidence tells questions that can be answered from those that cannot: area under the ROC curve. */
  readonly abstention: Estimate | null;
  /** Point of the stream → measure → value. */
  readonly byPoint: readonly {
    readonly point: number;
    readonly turns: number;
    readonly overall: Readonly<Record<string, Estimate>>;
    readonly entries: number;
    readonly bytes: number;
    readonly queryMsP50: number;
  }[];
  readonly cost: {
    readonly buildMs: number;
    readonly msPerTurn: number;
    readonly queryMsP50: number;
    readonly queryMsP95: number;
    /** Means: of a stage that writes per turn, of one that reads per question. */
    readonly stagesMs: Readonly<Record<string, number>>;
    readonly peakMemoryMb: number;
    readonly bytesOnDisk: number;
    readonly entries: number;
    readonly build: ModelUse;
    readonly query: ModelUse;
  };
}
