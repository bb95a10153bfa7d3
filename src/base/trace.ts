/**
 * What happened, as typed events with noun-verb names. The library never logs: it emits these to the sink it was given,
 * and whoever runs it (a command line, a server, a test) decides what to show.
 */
import type { ErrorCode } from "./errors.ts";

export type TraceEvent =
  | { readonly type: "storage-commit"; readonly writes: number; readonly seq: number; readonly ms: number }
  | {
      readonly type: "index-query";
      readonly collection: string;
      readonly index: string;
      readonly hits: number;
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
  | { readonly type: "warning-raise"; readonly code: ErrorCode; readonly message: string };

export type Trace = (event: TraceEvent) => void;

export const silent: Trace = () => undefined;
