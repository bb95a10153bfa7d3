/** What every verb works with: one memory file, one design over it, and the worker that takes up the journal. */
import type { Clock } from "../base/clock.ts";
import type { Trace } from "../base/trace.ts";
import type { OpenPreset } from "../preset/open.ts";
import type { Storage } from "../storage/storage.ts";
import type { Worker } from "./worker.ts";

export interface Running {
  readonly storage: Storage;
  readonly design: OpenPreset;
  readonly worker: Worker;
  readonly clock: Clock;
  readonly trace: Trace;
  /** Whether a model is asked at writes: then the journal is taken up in the background. */
  readonly isThinking: boolean;
}
