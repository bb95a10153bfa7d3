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
import { Upkeep } from "./upkeep.ts";
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
  /** Whether it goes on by itself with what waits. @default true */
  readonly background?: boolean | undefined;
  readonly onWindow?: ((scope: Scope, done: WindowDone) => void) | undefined;
}

export interface Running {
  readonly options: RunningOptions;
  readonly storage: Storage;
  readonly design: OpenPreset;
  readonly worker: Worker;
  /** What the design looks after by the clock. */
  readonly upkeep: Upkeep;
  readonly clock: Clock;
  readonly trace: Trace;
  /** Whether a model is asked at writes: then the journal is taken up in the background. */
  readonly isThinking: boolean;
}

export async function openRunning(options: RunningOptions): Promise<Running> {
  const { storage, model, embedder, reranker, env, clock, trace, background, onWindow } = options;
  const preset = typeof options.preset === "string" ? await loadPreset(options.preset) : options.preset;
  const design = await openPreset(preset, { storage, model, embedder, reranker, env, clock, trace });
  const upkeep = new Upkeep({ storage, memory: design, clock, trace, worker: () => worker });
  const worker: Worker = new Worker({
    ...{ storage, memory: design, clock, trace, background },
    onWindow(scope, done) {
      upkeep.begin(scope);
      onWindow?.(scope, done);
    },
  });
  const isThinking = (model !== undefined || preset.models.chat !== null) && asksAtWrites(preset);
  return { options, storage, design, worker, upkeep, clock, trace, isThinking };
}

/** The storage stays open. */
export async function closeRunning({ worker, upkeep, design }: Running): Promise<void> {
  await worker.close();
  await upkeep.close();
  await design.close();
}

/** Some action on the way in has a prompt, or lets the service think over what it holds. */
export function asksAtWrites({ stages }: Preset): boolean {
  return [...stages.pre_insert, ...stages.memory_insert, ...stages.post_insert].some(
    ({ claims: { prompts = [], triggers = [] } }) => prompts.length > 0 || triggers.length > 0,
  );
}
