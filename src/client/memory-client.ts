/**
 * A memory in another process, with the verbs of `Memory`: the same arguments, the same answers, the same errors. What a verb
 * sends and what comes back is its row of the table; here stands only how its arguments are named.
 *
 * A call that could not be delivered is sent again, under the same idempotency key where it changes something, so that it is
 * done once (as long as the server has not been restarted in between: it keeps these keys in its own memory).
 */
import type { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { parseScope } from "../base/scope.ts";
import type { NewTurn } from "../base/turn.ts";
import type { CallOperation } from "../operations/index.ts";
import { askOperation } from "../operations/rows/ask.ts";
import { chainedRecallOperation } from "../operations/rows/chained-recall.ts";
import { changesOperation } from "../operations/rows/changes.ts";
import { comprehensiveRecallOperation } from "../operations/rows/comprehensive-recall.ts";
import { consolidateOperation } from "../operations/rows/consolidate.ts";
import { contextOperation } from "../operations/rows/context.ts";
import { estimateOperation } from "../operations/rows/estimate.ts";
import { exportOperation } from "../operations/rows/export.ts";
import { feedbackOperation } from "../operations/rows/feedback.ts";
import { flushOperation } from "../operations/rows/flush.ts";
import { forgetOperation } from "../operations/rows/forget.ts";
import { getOperation } from "../operations/rows/get.ts";
import { historyOperation } from "../operations/rows/history.ts";
import { importOperation } from "../operations/rows/import.ts";
import { listOperation } from "../operations/rows/list.ts";
import { rebuildOperation } from "../operations/rows/rebuild.ts";
import { recallOperation } from "../operations/rows/recall.ts";
import { recordOperation } from "../operations/rows/record.ts";
import { reembedOperation } from "../operations/rows/reembed.ts";
import { rememberOperation } from "../operations/rows/remember.ts";
import { statusOperation } from "../operations/rows/status.ts";
import { undoOperation } from "../operations/rows/undo.ts";
import type { HitOutput } from "../operations/schemas/entry.ts";
import type { ChainedOptions } from "../runtime/chained-recall.ts";
import type { ChangesOptions } from "../runtime/changes.ts";
import type { ContextOptions } from "../runtime/context.ts";
import type { EstimateOptions } from "../runtime/estimate.ts";
import type { ExportOptions } from "../runtime/export.ts";
import type { Feedback } from "../runtime/feedback.ts";
import type { Forgettable } from "../runtime/forget.ts";
import type { HistoryOptions } from "../runtime/history.ts";
import type { ImportOptions } from "../runtime/import.ts";
import type { ListOptions } from "../runtime/list.ts";
import type { RecallOptions } from "../runtime/recall.ts";
import type { Exchange } from "../runtime/record.ts";
import type { Rememberable, RememberOptions } from "../runtime/remember.ts";
import type { WideOptions } from "../runtime/wide-search.ts";
import type { FlushOptions } from "../runtime/worker.ts";
import { type Asking, callServer, linesOfServer, longCall, type Stoppable, type Told } from "./ask-server.ts";
import type { Settings } from "./client-options.ts";
import { withLines } from "./lines-body.ts";
import { type EventsOptions, type LiveEvent, liveEvents } from "./live-events.ts";

/** What a row gives back. */
type Given<Row> = Row extends { readonly output: z.ZodType<infer Output> } ? Output : never;

/** What all scopes of one client share. */
interface Life {
  readonly settings: Settings;
  /** Aborted by `close`: streams end. */
  readonly closing: AbortController;
  readonly calls: Set<Promise<unknown>>;
}

export class MemoryClient {
  /** Whose memory it asks for; undefined: the key's only scope, else the server's. */
  readonly scope: string | undefined;
  readonly #life: Life;

  /** `connect` makes one. */
  constructor(life: Life, scope: string | undefined) {
    this.#life = life;
    this.scope = scope;
  }

  /** The same server for another scope; closing one closes all. */
  in(scope: string): MemoryClient {
    return new MemoryClient(this.#life, parseScope(scope));
  }

  /** Keeps a sentence, a turn, a conversation or a judged memory. */
  async remember(
    said: Rememberable,
    { signal, ...options }: RememberOptions = {},
  ): Promise<Given<typeof rememberOperation>> {
    return this.#call(rememberOperation, { said, ...options }, { signal });
  }

  /** Keeps what a user and an assistant said to each other. */
  async record(
    exchange: Exchange,
    { signal, ...options }: RememberOptions = {},
  ): Promise<Given<typeof recordOperation>> {
    return this.#call(recordOperation, { ...exchange, ...options }, { signal });
  }

  /** What the memory knows about it, best first, each hit with the parts of its score. */
  async recall(
    question: string,
    { signal, ...options }: RecallOptions = {},
  ): Promise<Given<typeof recallOperation>> {
    return this.#call(recallOperation, { question, ...options }, { signal });
  }

  /** The widest look: all that is alike enough. */
  async comprehensiveRecall(
    question: string,
    { signal, ...options }: WideOptions = {},
  ): Promise<readonly HitOutput[]> {
    const found = await this.#call(comprehensiveRecallOperation, { question, ...options }, { signal });
    return found.hits;
  }

  /** A look along what the question speaks of. */
  async chainedRecall(
    question: string,
    { signal, ...options }: ChainedOptions = {},
  ): Promise<readonly HitOutput[]> {
    const found = await this.#call(chainedRecallOperation, { question, ...options }, { signal });
    return found.hits;
  }

  /** The answer from memory and nothing else, with what it rests on. */
  async ask(
    question: string,
    { signal, ...options }: Omit<RecallOptions, "explain"> = {},
  ): Promise<Given<typeof askOperation>> {
    return this.#call(askOperation, { question, ...options }, { signal });
  }

  /** The block to put into a prompt: a stable part that a prompt cache keeps, and one recalled for the question. */
  async context(
    question: string,
    { signal, ...options }: Omit<ContextOptions, "explain"> = {},
  ): Promise<Given<typeof contextOperation>> {
    return this.#call(contextOperation, { question, ...options }, { signal });
  }

  /** Tells what came of a recall: what was useful, what is new, what says the same. */
  async feedback(given: Feedback, call: Stoppable = {}): Promise<Given<typeof feedbackOperation>> {
    return this.#call(feedbackOperation, { ...given }, call);
  }

  /** The design's own upkeep, now. */
  async consolidate(call: Stoppable = {}): Promise<Given<typeof consolidateOperation>> {
    const { signal, ...options } = call;
    return this.#underway((asking) => longCall(asking, consolidateOperation, options, { signal }));
  }

  /** One memory, as it is stored. */
  async get(id: string, call: Stoppable = {}): Promise<Given<typeof getOperation>> {
    return this.#call(getOperation, { id }, call);
  }

  /** The scope's own memories, page by page. */
  async list({ signal, ...options }: ListOptions & Stoppable = {}): Promise<Given<typeof listOperation>> {
    return this.#call(listOperation, options, { signal });
  }

  /** What became of a memory, step by step. */
  async history(
    id: string,
    { signal, ...options }: HistoryOptions & Stoppable = {},
  ): Promise<Given<typeof historyOperation>["events"]> {
    const { events } = await this.#call(historyOperation, { id, ...options }, { signal });
    return events;
  }

  /** What has changed since somebody last looked, in all of the scope. */
  async changes({
    signal,
    ...options
  }: ChangesOptions & Stoppable = {}): Promise<Given<typeof changesOperation>> {
    return this.#call(changesOperation, options, { signal });
  }

  /** Changes as they come, from now on or from `after` on, through broken connections; ends with `signal` or `close`. */
  events(options: EventsOptions = {}): AsyncGenerator<LiveEvent, void, undefined> {
    return liveEvents(this.#asking(), options, this.#life.closing.signal);
  }

  /** Takes a change back, with all that was changed together with it. */
  async undo(event: number, call: Stoppable = {}): Promise<Given<typeof undoOperation>> {
    return this.#call(undoOperation, { event }, call);
  }

  /** Erases, with everything that was made of it; says what went. It cannot be undone. */
  async forget(what: Forgettable, call: Stoppable = {}): Promise<Given<typeof forgetOperation>> {
    return this.#call(forgetOperation, { ...what }, call);
  }

  /** Waits until all that was said has been taken up. */
  async flush({ signal, ...options }: FlushOptions = {}): Promise<Given<typeof flushOperation>> {
    return this.#underway((asking) => longCall(asking, flushOperation, options, { signal }));
  }

  /** Makes the scope's memories anew from its journal; `onProgress` is told the turns that are done. */
  async rebuild({ signal, onProgress, ...options }: Told = {}): Promise<Given<typeof rebuildOperation>> {
    return this.#underway((asking) => longCall(asking, rebuildOperation, options, { signal, onProgress }));
  }

  /** Gives memories the vectors that the embedder at work has not made yet. */
  async reembed({ signal, onProgress, ...options }: Told = {}): Promise<Given<typeof reembedOperation>> {
    return this.#underway((asking) => longCall(asking, reembedOperation, options, { signal, onProgress }));
  }

  /** What it would cost to take these turns up: calls, tokens, money. */
  async estimate(
    turns: readonly (string | NewTurn)[],
    { signal, ...options }: EstimateOptions = {},
  ): Promise<Given<typeof estimateOperation>> {
    return this.#call(estimateOperation, { turns, ...options }, { signal });
  }

  /** The scope as lines of JSON, as they come. */
  export({
    signal,
    ...options
  }: Omit<ExportOptions, "onProgress"> = {}): AsyncGenerator<string, void, undefined> {
    return linesOfServer(this.#asking(), exportOperation, options, { signal }, this.#life.closing.signal);
  }

  /**
   * Takes in what `export` wrote; nothing comes twice. Many lines are sent as they come, and then once; a browser holds them
   * all first, and refuses what is too much.
   */
  async import(
    lines: AsyncIterable<string> | Iterable<string>,
    { signal, onProgress, ...options }: ImportOptions = {},
  ): Promise<Given<typeof importOperation>> {
    return this.#underway((asking) =>
      withLines(lines, { signal }, (body) =>
        longCall(asking, importOperation, options, { signal, onProgress }, body),
      ),
    );
  }

  /** How it stands: what is in it, what waits, and why it waits. */
  async status(call: Stoppable = {}): Promise<Given<typeof statusOperation>> {
    return this.#call(statusOperation, {}, call);
  }

  /** Ends streams at once, and waits for the calls that are under way. */
  async close(): Promise<void> {
    this.#life.closing.abort();
    await Promise.allSettled(this.#life.calls);
  }

  async #call<Output>(
    operation: CallOperation<unknown, Output>,
    given: Readonly<Record<string, unknown>>,
    call: Stoppable,
  ): Promise<Output> {
    return this.#underway((asking) => callServer(asking, operation, given, call));
  }

  async #underway<T>(run: (asking: Asking) => Promise<T>): Promise<T> {
    const { calls } = this.#life;
    const call = run(this.#asking());
    calls.add(call);
    return call.finally(() => calls.delete(call));
  }

  #asking(): Asking {
    const { settings, closing } = this.#life;
    if (!closing.signal.aborted) return { settings, scope: this.scope };
    throw new MemoryError("storage_closed", "The client was closed. Valid: connect again.");
  }
}
