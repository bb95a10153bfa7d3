/**
 * What a user calls. `Memory` binds the verbs, each a file of its own, to one memory file, one design and one scope:
 *
 *     const memory = await Memory.open({ path: "memory.db", scope: "mia" });
 *     await memory.remember({ speaker: "Mia", text: "I moved to Rome." });
 *     const { hits } = await memory.recall("Where does Mia live?");
 *     await memory.close();
 */
import { systemClock } from "../base/clock.ts";
import type { Entry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import { createQueue } from "../base/promise.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import { silent } from "../base/trace.ts";
import type { NewTurn } from "../base/turn.ts";
import type { FoundHit } from "../pipeline/question.ts";
import { DEFAULT_PRESET } from "../preset/default-preset.ts";
import type { Event } from "../storage/event.ts";
import { openStorage } from "../storage/open-storage.ts";
import { type Answer, ask } from "./ask.ts";
import { catchUp } from "./catch-up.ts";
import { type ChainedOptions, chainedRecall } from "./chained-recall.ts";
import { type Changes, type ChangesOptions, changes } from "./changes.ts";
import { comprehensiveRecall } from "./comprehensive-recall.ts";
import { type Consolidated, consolidate } from "./consolidate.ts";
import { type Context, type ContextOptions, context } from "./context.ts";
import type { Derived } from "./derive.ts";
import { type Estimate, type EstimateOptions, estimate } from "./estimate.ts";
import { type ExportOptions, exportScope } from "./export.ts";
import { type Feedback, type FeedbackReport, feedback } from "./feedback.ts";
import { type ErasureReport, type Forgettable, forget } from "./forget.ts";
import { type HistoryOptions, history } from "./history.ts";
import { type Imported, type ImportOptions, importBundle } from "./import.ts";
import { get, type ListOptions, list, type Page } from "./list.ts";
import { checkMemoryOptions, type MemoryOptions } from "./memory-options.ts";
import { type RebuildOptions, rebuildScope } from "./rebuild.ts";
import { type Recalled, type RecallOptions, recall } from "./recall.ts";
import { type Exchange, type Recorded, record } from "./record.ts";
import { type Reembedded, type ReembedOptions, reembed } from "./reembed.ts";
import { type Rememberable, type Remembered, type RememberOptions, remember } from "./remember.ts";
import { closeRunning, openRunning, type Running } from "./running.ts";
import { type Status, status } from "./status.ts";
import { type Undone, undo } from "./undo.ts";
import type { WideOptions } from "./wide-search.ts";
import type { FlushOptions } from "./worker.ts";

/** What all scopes of one memory share. */
interface Life {
  isOpen: boolean;
  running: Running;
  /** Scopes whose journal the design at work was asked to take up, if it had not. */
  readonly caughtUp: Set<Scope>;
  /** Calls that have not ended yet. */
  readonly calls: Set<Promise<unknown>>;
  /** One rebuild at a time: each closes the design that it finds. */
  readonly rebuilds: ReturnType<typeof createQueue>;
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
    checkMemoryOptions(options);
    const scope = parseScope(options.scope);
    const { storage: given, preset = DEFAULT_PRESET, clock = systemClock, trace = silent } = options;
    const storage = await openStorage(options, { clock, trace });
    try {
      const running = await openRunning({ ...options, storage, preset, clock, trace });
      const life = { isOpen: true, running, caughtUp: new Set<Scope>(), calls: new Set<Promise<unknown>>() };
      const memory = new Memory({ ...life, rebuilds: createQueue() }, scope);
      if (options.background !== false) {
        await memory.#catchUp();
        running.worker.kick();
        running.upkeep.kick();
      }
      return memory;
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
    const memory = new Memory(this.#life, parseScope(scope));
    void memory.#catchUp();
    return memory;
  }

  /** Keeps a sentence, a turn, a conversation or a judged memory; what was said is on disk when it returns. */
  async remember(said: Rememberable, options?: RememberOptions): Promise<Remembered> {
    return this.#underway(remember(this.#open(), this.scope, said, options));
  }

  /** Keeps what a user and an assistant said to each other; text that was recalled is not taken for news. */
  async record(exchange: Exchange, options?: RememberOptions): Promise<Recorded> {
    return this.#underway(record(this.#open(), this.scope, exchange, options));
  }

  /** What the memory knows about it, best first, each hit with the parts of its score. */
  async recall(question: string, options?: RecallOptions): Promise<Recalled> {
    return this.#underway(recall(this.#open(), this.scope, question, options));
  }

  /** The widest look: all that is alike enough, what was remembered in passing damped by its age. */
  async comprehensiveRecall(question: string, options?: WideOptions): Promise<readonly FoundHit[]> {
    return this.#underway(comprehensiveRecall(this.#open(), this.scope, question, options));
  }

  /** A look along what the question speaks of: a few memories for every entity, then a few of every type. */
  async chainedRecall(question: string, options?: ChainedOptions): Promise<readonly FoundHit[]> {
    return this.#underway(chainedRecall(this.#open(), this.scope, question, options));
  }

  /** The answer from memory and nothing else, with what it rests on. */
  async ask(question: string, options?: RecallOptions): Promise<Answer> {
    return this.#underway(ask(this.#open(), this.scope, question, options));
  }

  /** The block to put into a prompt: a stable part that a prompt cache keeps, and one recalled for the question. */
  async context(question: string, options?: ContextOptions): Promise<Context> {
    return this.#underway(context(this.#open(), this.scope, question, options));
  }

  /** Tells what came of a recall: what was useful, what is new, what says the same. */
  async feedback(given: Feedback): Promise<FeedbackReport> {
    return this.#underway(feedback(this.#open(), this.scope, given));
  }

  /** The design's own upkeep, now. */
  async consolidate(options?: { readonly signal?: AbortSignal | undefined }): Promise<Consolidated> {
    return this.#underway(consolidate(this.#open(), this.scope, options));
  }

  /** One memory, as it is stored. */
  async get(id: string): Promise<Entry> {
    return this.#underway(get(this.#open(), this.scope, id));
  }

  /** The scope's own memories, page by page. */
  async list(options?: ListOptions): Promise<Page> {
    return this.#underway(list(this.#open(), this.scope, options));
  }

  /** What became of a memory, step by step. */
  async history(id: string, options?: HistoryOptions): Promise<readonly Event[]> {
    return this.#underway(history(this.#open(), this.scope, id, options));
  }

  /** What has changed since somebody last looked, in all of the scope. */
  async changes(options?: ChangesOptions): Promise<Changes> {
    return this.#underway(changes(this.#open(), this.scope, options));
  }

  /** Takes a change back, with all that was changed together with it. */
  async undo(event: number): Promise<Undone> {
    return this.#underway(undo(this.#open(), this.scope, event));
  }

  /** Erases, with everything that was made of it; says what went. It cannot be undone. */
  async forget(what: Forgettable): Promise<ErasureReport> {
    return this.#underway(forget(this.#open(), this.scope, what));
  }

  /** Waits until all that was said has been taken up, windows that are not full among it. */
  async flush(options?: FlushOptions): Promise<Derived> {
    return this.#underway(this.#open().worker.flush(this.scope, options));
  }

  /** Makes the scope's memories anew from its journal; with `preset`, by another design, which is at work from then on. */
  async rebuild(options: RebuildOptions = {}): Promise<Derived> {
    const rebuilt = this.#life.rebuilds(async () => {
      const { running, derived } = await rebuildScope(this.#open(), this.scope, options);
      this.#life.running = running;
      this.#life.caughtUp.clear();
      return derived;
    });
    return this.#underway(rebuilt);
  }

  /** Gives memories the vectors that the embedder at work has not made yet. */
  async reembed(options?: ReembedOptions): Promise<Reembedded> {
    return this.#underway(reembed(this.#open(), this.scope, options));
  }

  /** What it would cost to take these turns up: calls, tokens, money. */
  async estimate(turns: readonly (string | NewTurn)[], options?: EstimateOptions): Promise<Estimate> {
    return this.#underway(estimate(this.#open(), turns, options));
  }

  /** The scope as lines of JSON: journal, memories, vectors, edges. */
  export(options?: ExportOptions): AsyncGenerator<string, void, undefined> {
    return exportScope(this.#open(), this.scope, options);
  }

  /** Takes in what `export` wrote; nothing comes twice. */
  async import(lines: AsyncIterable<string> | Iterable<string>, options?: ImportOptions): Promise<Imported> {
    return this.#underway(importBundle(this.#open(), this.scope, lines, options));
  }

  /** How it stands: what is in it, what waits, and why it waits. */
  async status(): Promise<Status> {
    return this.#underway(status(this.#open(), this.scope));
  }

  /** Ends after the window and the calls that are under way; what waits is taken up when the memory is opened again. */
  async close(): Promise<void> {
    if (!this.#life.isOpen) return;
    this.#life.isOpen = false;
    await this.#life.running.worker.close();
    await Promise.allSettled(this.#life.calls);
    // A rebuild that was under way may have gone over to another design.
    const { running } = this.#life;
    await closeRunning(running);
    await running.storage.close();
  }

  /** For a runtime with verbs of its own over the same memory (SimpleMem): what a verb works with. */
  running(): Running {
    return this.#open();
  }

  /** Once for a scope: what was said to another design waits for this one, too. */
  async #catchUp(): Promise<void> {
    const { isOpen, running, caughtUp } = this.#life;
    if (!isOpen || running.options.background === false || caughtUp.has(this.scope)) return;
    caughtUp.add(this.scope);
    await this.#underway(catchUp(running, this.scope));
  }

  #underway<T>(call: Promise<T>): Promise<T> {
    const { calls } = this.#life;
    calls.add(call);
    return call.finally(() => calls.delete(call));
  }

  #open(): Running {
    if (this.#life.isOpen) return this.#life.running;
    throw new MemoryError("storage_closed", "The memory was closed. Valid: open it again with Memory.open.");
  }
}
