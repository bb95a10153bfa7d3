/**
 * What a user calls. `Memory` binds the verbs, each a file of its own, to one memory file, one design and one scope:
 *
 *     const memory = await Memory.open({ path: "memory.db", scope: "mia" });
 *     await memory.remember({ speaker: "Mia", text: "I moved to Rome." });
 *     const { hits } = await memory.recall("Where does Mia live?");
 *     await memory.close();
 */
import { type Clock, systemClock } from "../base/clock.ts";
import type { Entry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import { silent, type Trace } from "../base/trace.ts";
import type { NewTurn } from "../base/turn.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import type { ChatModel, Reranker } from "../models/model.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import type { FoundHit } from "../pipeline/question.ts";
import type { Preset } from "../preset/preset.ts";
import type { Event } from "../storage/event.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { type Answer, ask } from "./ask.ts";
import { type ChainedOptions, chainedRecall } from "./chained-recall.ts";
import { comprehensiveRecall } from "./comprehensive-recall.ts";
import { type Consolidated, consolidate } from "./consolidate.ts";
import { type Context, type ContextOptions, context } from "./context.ts";
import type { Derived, WindowDone } from "./derive.ts";
import { type Estimate, type EstimateOptions, estimate } from "./estimate.ts";
import { type ExportOptions, exportScope } from "./export.ts";
import { type Feedback, type FeedbackReport, feedback } from "./feedback.ts";
import { type ErasureReport, type Forgettable, forget } from "./forget.ts";
import { type HistoryOptions, history } from "./history.ts";
import { type Imported, type ImportOptions, importBundle } from "./import.ts";
import { get, type ListOptions, list, type Page } from "./list.ts";
import { type RebuildOptions, rebuildScope } from "./rebuild.ts";
import { type RecallOptions, recall } from "./recall.ts";
import { type Exchange, type Recorded, record } from "./record.ts";
import { type Reembedded, type ReembedOptions, reembed } from "./reembed.ts";
import { type Rememberable, type Remembered, type RememberOptions, remember } from "./remember.ts";
import { closeRunning, openRunning, type Running } from "./running.ts";
import { type Status, status } from "./status.ts";
import { type Undone, undo } from "./undo.ts";
import type { FlushOptions } from "./worker.ts";

export interface MemoryOptions {
  /** A file of the embedded back end; made if it is not there. */
  readonly path?: string | undefined;
  /** In place of `path`: opened by the caller, closed by `close()`: openPostgres(…), openInMemory(). */
  readonly storage?: Storage | undefined;
  /** A design: a name of the package's, a path of a YAML file, or one that was loaded. @default hybrid */
  readonly preset?: string | Preset | undefined;
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

const DEFAULT_PRESET = "hybrid";

/** What all scopes of one memory share. */
interface Life {
  isOpen: boolean;
  running: Running;
}

export class Memory {
  readonly scope: Scope;
  readonly #life: Life;

  private constructor(life: Life, scope: Scope) {
    this.#life = life;
    this.scope = scope;
  }

  /** Opens a memory; what another process left undone is gone on with. */
  static async open(options: MemoryOptions): Promise<Memory> {
    const scope = parseScope(options.scope);
    const { path, storage: given, preset = DEFAULT_PRESET, clock = systemClock, trace = silent } = options;
    const storage = given ?? (await openSqlite(pathOf(path)));
    try {
      const running = await openRunning({ ...options, storage, preset, clock, trace });
      running.worker.kick();
      return new Memory({ isOpen: true, running }, scope);
    } catch (error) {
      if (given === undefined) await storage.close();
      throw error;
    }
  }

  /** The name of the design at work. */
  get preset(): string {
    return this.#open().design.preset.name;
  }

  /** The same memory for another scope; closing one closes all. */
  in(scope: string): Memory {
    return new Memory(this.#life, parseScope(scope));
  }

  /** Keeps a sentence, a turn, a conversation or a judged memory; what was said is on disk when it returns. */
  async remember(said: Rememberable, options?: RememberOptions): Promise<Remembered> {
    return remember(this.#open(), this.scope, said, options);
  }

  /** Keeps what a user and an assistant said to each other; text that was recalled is not taken for news. */
  async record(exchange: Exchange, options?: RememberOptions): Promise<Recorded> {
    return record(this.#open(), this.scope, exchange, options);
  }

  /** What the memory knows about it, best first, each hit with the parts of its score. */
  async recall(question: string, options?: RecallOptions): Promise<RetrieveResult> {
    return recall(this.#open(), this.scope, question, options);
  }

  /** The widest look: all that is alike enough, what was remembered in passing damped by its age. */
  async comprehensiveRecall(question: string, options?: RecallOptions): Promise<readonly FoundHit[]> {
    return comprehensiveRecall(this.#open(), this.scope, question, options);
  }

  /** A look along what the question speaks of: a few memories for every entity, then a few of every type. */
  async chainedRecall(question: string, options?: ChainedOptions): Promise<readonly FoundHit[]> {
    return chainedRecall(this.#open(), this.scope, question, options);
  }

  /** The answer from memory and nothing else, with what it rests on. */
  async ask(question: string, options?: RecallOptions): Promise<Answer> {
    return ask(this.#open(), this.scope, question, options);
  }

  /** The block to put into a prompt: a stable part that a prompt cache keeps, and one recalled for the question. */
  async context(question: string, options?: ContextOptions): Promise<Context> {
    return context(this.#open(), this.scope, question, options);
  }

  /** Tells what came of a recall: what was useful, what is new, what says the same. */
  async feedback(given: Feedback): Promise<FeedbackReport> {
    return feedback(this.#open(), this.scope, given);
  }

  /** The design's own upkeep, now. */
  async consolidate(options?: { readonly signal?: AbortSignal | undefined }): Promise<Consolidated> {
    return consolidate(this.#open(), this.scope, options);
  }

  /** One memory, as it is stored. */
  async get(id: string): Promise<Entry> {
    return get(this.#open(), this.scope, id);
  }

  /** The scope's own memories, page by page. */
  async list(options?: ListOptions): Promise<Page> {
    return list(this.#open(), this.scope, options);
  }

  /** What became of a memory, step by step. */
  async history(id: string, options?: HistoryOptions): Promise<readonly Event[]> {
    return history(this.#open(), this.scope, id, options);
  }

  /** Takes a change back, with all that was changed together with it. */
  async undo(event: number): Promise<Undone> {
    return undo(this.#open(), this.scope, event);
  }

  /** Erases, with everything that was made of it; says what went. It cannot be undone. */
  async forget(what: Forgettable): Promise<ErasureReport> {
    return forget(this.#open(), this.scope, what);
  }

  /** Waits until all that was said has been taken up, windows that are not full among it. */
  async flush(options?: FlushOptions): Promise<Derived> {
    return this.#open().worker.flush(this.scope, options);
  }

  /** Makes the scope's memories anew from its journal; with `preset`, by another design, which is at work from then on. */
  async rebuild(options: RebuildOptions = {}): Promise<Derived> {
    const { running, derived } = await rebuildScope(this.#open(), this.scope, options);
    this.#life.running = running;
    return derived;
  }

  /** Gives memories the vectors that the embedder at work has not made yet. */
  async reembed(options?: ReembedOptions): Promise<Reembedded> {
    return reembed(this.#open(), this.scope, options);
  }

  /** What it would cost to take these turns up: calls, tokens, money. */
  async estimate(turns: readonly (string | NewTurn)[], options?: EstimateOptions): Promise<Estimate> {
    return estimate(this.#open(), turns, options);
  }

  /** The scope as lines of JSON: journal, memories, vectors, edges. */
  export(options?: ExportOptions): AsyncGenerator<string, void, undefined> {
    return exportScope(this.#open(), this.scope, options);
  }

  /** Takes in what `export` wrote; nothing comes twice. */
  async import(lines: AsyncIterable<string> | Iterable<string>, options?: ImportOptions): Promise<Imported> {
    return importBundle(this.#open(), this.scope, lines, options);
  }

  /** How it stands: what is in it, what waits, and why it waits. */
  async status(): Promise<Status> {
    return status(this.#open(), this.scope);
  }

  /** Ends after the window that is being worked on; what waits is taken up when the memory is opened again. */
  async close(): Promise<void> {
    if (!this.#life.isOpen) return;
    this.#life.isOpen = false;
    const { running } = this.#life;
    await closeRunning(running);
    await running.storage.close();
  }

  #open(): Running {
    if (this.#life.isOpen) return this.#life.running;
    throw new MemoryError("storage_closed", "The memory was closed. Valid: open it again with Memory.open.");
  }
}

function pathOf(path: string | undefined): string {
  if (path !== undefined && path !== "") return path;
  throw new MemoryError(
    "input_invalid",
    'Where does the memory live? Valid: path, as "memory.db", or storage, as openInMemory() gives.',
  );
}
