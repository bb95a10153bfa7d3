/**
 * What a user calls. `Memory` binds the verbs, each a file of its own, to one memory file, one design and one scope:
 *
 *     const storage = await openSqlite("memory.db");
 *     const memory = await Memory.open({ storage, preset: "mem0", scope: "mia" });
 *     await memory.remember({ speaker: "Mia", text: "I moved to Rome." });
 *     const { hits } = await memory.recall("Where does Mia live?");
 *     await memory.close();
 */
import { type Clock, systemClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import { silent, type Trace } from "../base/trace.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import type { ChatModel, Reranker } from "../models/model.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import type { NewQuestion } from "../pipeline/question.ts";
import { loadPreset } from "../preset/load.ts";
import { openPreset } from "../preset/open.ts";
import type { Preset } from "../preset/preset.ts";
import type { Storage } from "../storage/storage.ts";
import type { Derived, DeriveOptions, WindowDone } from "./derive.ts";
import { type ErasureReport, type Forgettable, forget } from "./forget.ts";
import { rebuild } from "./rebuild.ts";
import { type Rememberable, type Remembered, type RememberOptions, remember } from "./remember.ts";
import type { Running } from "./running.ts";
import { type Status, status } from "./status.ts";
import { type FlushOptions, Worker } from "./worker.ts";

export interface MemoryOptions {
  /** Where it lives, opened by the caller and closed by `close()`: openSqlite(path), openPostgres(…), openInMemory(). */
  readonly storage: Storage;
  /** A design: a name of the package's, a path of a YAML file, or one that was loaded. */
  readonly preset: string | Preset;
  /** Whose memory it is; every call is for this scope. `in(scope)` gives the same memory for another. */
  readonly scope: string;
  /** In place of what the preset names. */
  readonly model?: ChatModel | undefined;
  readonly embedder?: EmbedderSet | undefined;
  readonly reranker?: Reranker | undefined;
  /** Where keys are looked up. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly clock?: Clock | undefined;
  readonly trace?: Trace | undefined;
  /** Told whenever a window of the journal has been taken up. */
  readonly onWindow?: ((scope: Scope, done: WindowDone) => void) | undefined;
}

export type RecallOptions = Omit<NewQuestion, "text"> & { readonly signal?: AbortSignal | undefined };

export class Memory {
  readonly scope: Scope;
  readonly #running: Running;
  readonly #life: { isOpen: boolean };

  private constructor(running: Running, scope: Scope, life: { isOpen: boolean }) {
    this.#running = running;
    this.scope = scope;
    this.#life = life;
  }

  static async open(options: MemoryOptions): Promise<Memory> {
    const {
      storage,
      clock = systemClock,
      trace = silent,
      onWindow,
      model,
      embedder,
      reranker,
      env,
    } = options;
    const scope = parseScope(options.scope);
    const preset = typeof options.preset === "string" ? await loadPreset(options.preset) : options.preset;
    const design = await openPreset(preset, { storage, model, embedder, reranker, env, clock, trace });
    const worker = new Worker({ storage, memory: design, clock, trace, onWindow });
    const isThinking = model !== undefined || preset.models.chat !== null;
    // What another process left undone is gone on with.
    worker.kick();
    return new Memory({ storage, design, worker, clock, trace, isThinking }, scope, { isOpen: true });
  }

  /** The same memory for another scope; closing one closes all. */
  in(scope: string): Memory {
    return new Memory(this.#running, parseScope(scope), this.#life);
  }

  async remember(said: Rememberable, options?: RememberOptions): Promise<Remembered> {
    return remember(this.#open(), this.scope, said, options);
  }

  async recall(question: string, { signal, ...asked }: RecallOptions = {}): Promise<RetrieveResult> {
    return this.#open().design.retrieve(this.scope, { text: question, ...asked }, { signal });
  }

  /** Erases, with everything that was made of it; says what went. It cannot be undone. */
  async forget(what: Forgettable): Promise<ErasureReport> {
    return forget(this.#open(), this.scope, what);
  }

  /** Waits until all that was said has been taken up, windows that are not full among it. */
  async flush(options?: FlushOptions): Promise<Derived> {
    return this.#open().worker.flush(this.scope, options);
  }

  /** Makes the scope's memories anew from its journal. */
  async rebuild(options: Omit<DeriveOptions, "finish"> = {}): Promise<Derived> {
    const { design, storage, worker } = this.#open();
    return worker.alone(this.scope, options.signal, (signal) =>
      rebuild(design, storage, this.scope, { ...options, signal }),
    );
  }

  async status(): Promise<Status> {
    return status(this.#open(), this.scope);
  }

  /** Ends after the window that is being worked on; what waits is taken up when the memory is opened again. */
  async close(): Promise<void> {
    if (!this.#life.isOpen) return;
    this.#life.isOpen = false;
    const { worker, design, storage } = this.#running;
    await worker.close();
    await design.close();
    await storage.close();
  }

  #open(): Running {
    if (this.#life.isOpen) return this.#running;
    throw new MemoryError("storage_closed", "The memory was closed. Valid: open it again with Memory.open.");
  }
}
