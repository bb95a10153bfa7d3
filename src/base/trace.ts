/**
 * What happened, as typed events with noun-verb names. The library never logs: it emits these to the sink it was given,
 * and whoever runs it (a command line, a server, a test) decides what to show.
 */
import type { ErrorCode } from "./errors.ts";
import type { JsonObject } from "./json.ts";

export type TraceEvent =
  | { readonly type: "storage-commit"; readonly writes: number; readonly seq: number; readonly ms: number }
  | {
      readonly type: "index-query";
      readonly collection: string;
      readonly index: string;
      readonly hits: number;
      /** How many matched, beyond those asked for too; absent where the index does not know. */
      readonly matching?: number | undefined;
      readonly ms: number;
    }
  | {
      readonly type: "index-catch-up";
      readonly collection: string;
      readonly index: string;
      readonly changes: number;
      readonly ms: number;
    }
  | {
      readonly type: "index-rebuild";
      readonly collection: string;
      readonly index: string;
      readonly items: number;
      readonly reason: string;
      readonly ms: number;
    }
  | {
      readonly type: "snapshot-save" | "snapshot-load";
      readonly name: string;
      readonly bytes: number;
      readonly ms: number;
    }
  /** One request to a language model, or one reply from a cache; a failed try is an event of its own, with its error. */
  | {
      readonly type: "model-call";
      readonly model: string;
      readonly task?: string | undefined;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly ms: number;
      readonly cached: boolean;
      /** Which try it was, from 1. */
      readonly attempt: number;
      /** In the unit of the prices that were given; absent without prices. */
      readonly cost?: number | undefined;
      readonly error?: ErrorCode | undefined;
    }
  /** The same for an embedder or a reranker; `cached` counts the texts that needed no request. */
  | {
      readonly type: "embed-call" | "rank-call";
      readonly model: string;
      readonly task?: string | undefined;
      readonly texts: number;
      readonly cached: number;
      readonly inputTokens: number;
      readonly ms: number;
      readonly attempt: number;
      readonly cost?: number | undefined;
      readonly error?: ErrorCode | undefined;
    }
  /** Which built-in embedder runs for a language, and why not a better one. */
  | {
      readonly type: "embedder-choose";
      readonly language: string;
      readonly active: "onnx" | "static" | "none";
      readonly why: string;
    }
  /** Which path a task took, why it was not the model's, and what all its tries used: nothing where no model was asked. */
  | {
      readonly type: "task-run";
      readonly task: string;
      readonly path: "model" | "local";
      readonly reason?: string | undefined;
      readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
      /** About how many tokens a model would have written for the local reply; only where one was asked and gave none. */
      readonly replyTokens?: number | undefined;
      readonly ms?: number | undefined;
    }
  /** One action of one stage of the pipeline: how many drafts or hits came in and went out, and what it noted. */
  | {
      readonly type: "stage-run";
      readonly stage: string;
      readonly action: string;
      readonly ms: number;
      readonly given: number;
      readonly result: number;
      readonly notes: JsonObject;
      readonly error?: ErrorCode | undefined;
    }
  | { readonly type: "warning-raise"; readonly code: ErrorCode; readonly message: string };

export type Trace = (event: TraceEvent) => void;

export const silent: Trace = () => undefined;
