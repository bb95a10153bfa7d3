/** The memory, the design and the model that the options name, opened for work on the journal itself. */
import { systemClock } from "../base/clock.ts";
import type { Scope } from "../base/scope.ts";
import { type OpenPreset, openPreset } from "../preset/open.ts";
import { Worker } from "../runtime/worker.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import type { Given } from "./command.ts";
import { countMemories } from "./count-memories.ts";
import { meantMemory, tellIfNobodyThinks } from "./meant-memory.ts";
import type { Terminal } from "./terminal.ts";

export interface OpenMemory {
  readonly storage: Storage;
  readonly memory: OpenPreset;
  /** Keeps other processes from the same work; it does what it is asked for and nothing in the background. */
  readonly worker: Worker;
  readonly scope: Scope;
  readonly file: string;
  /** Who thinks; null: rules. */
  readonly model: string | null;
  /** Memories of the scope's own; things they speak of, and what they state of them, are none. */
  count(): Promise<number>;
  close(): Promise<void>;
}

/** `isNew`: a file that is not there is made. */
export async function openMemory(
  given: Given,
  terminal: Terminal,
  options: { readonly isNew: boolean },
): Promise<OpenMemory> {
  const meant = await meantMemory(given, terminal, options);
  const { file, scope, preset, model, trace, warnings } = meant;
  const storage = await openSqlite(file);
  const memory = await openPreset(preset, { storage, model, env: terminal.env, trace }).catch(
    async (error: unknown) => {
      await storage.close();
      throw error;
    },
  );
  const worker = new Worker({ storage, memory, clock: systemClock, trace });
  tellIfNobodyThinks(meant, terminal);
  return {
    storage,
    memory,
    worker,
    scope,
    file,
    model: model?.id ?? null,
    count: () => countMemories(storage, scope, memory.service.collection),
    async close() {
      warnings.end();
      await worker.close();
      await memory.close();
      await storage.close();
    },
  };
}
