/** What every verb works with: one memory file, one design over it, and the worker that takes up the journal. */
import type { Clock } from "../base/clock.ts";
import type { Scope } from "../base/scope.ts";
import type { Trace } from "../base/trace.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import type { ChatModel, Reranker } from "../models/model.ts";
import { loadPreset } from "../preset/load.ts";
import { type OpenPreset, openPreset } from "../preset/open.ts";
import type { Preset } from "../preset/preset.ts";
import type { Storage } from "../storage/storage.ts";
import type { WindowDone } from "./derive.ts";
import { Worker } from "./worker.ts";

/** What the caller gave, kept so that another design can be opened over the same memory. */
export interface RunningOptions {
  readonly storage: Storage;
  readonly preset: string | Preset;
  readonly clock: Clock;
  readonly trace: Trace;
  readonly model?: ChatModel | undefined;
  readonly embedder?: EmbedderSet | undefined;
  readonly reranker?: Reranker | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly onWindow?: ((scope: Scope, done: WindowDone) => void) | undefined;
}

export interface Running {
  readonly options: RunningOptions;
  readonly storage: Storage;
  readonly design: OpenPreset;
  readonly worker: Worker;
  readonly clock: Clock;
  readonly trace: Trace;
  /** Whether a model is asked at writes: then the journal is taken up in the background. */
  readonly isThinking: boolean;
}

export async function openRunning(options: RunningOptions): Promise<Running> {
  const { storage, model, embedder, reranker, env, clock, trace, onWindow } = options;
  const preset = typeof options.preset === "string" ? await loadPreset(options.preset) : options.preset;
  const design = await openPreset(preset, { storage, model, embedder, reranker, env, clock, trace });
  const worker = new Worker({ storage, memory: design, clock, trace, onWindow });
  const isThinking = model !== undefined || preset.models.chat !== null;
  return { options, storage, design, worker, clock, trace, isThinking };
}

/** The storage stays open. */
export async function closeRunning({ worker, design }: Running): Promise<void> {
  await worker.close();
  await design.close();
}
