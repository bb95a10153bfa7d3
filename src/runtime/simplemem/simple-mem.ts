/**
 * SimpleMem as its users know it (seed 002; CompressRuntime of C-13): dialogue goes in, sentences that stand alone are kept,
 * and a question finds them by a plan. A view over `Memory` with the preset simplemem:
 *
 *     const mem = await SimpleMem.open({ path: "memory.db", scope: "alice" });
 *     await mem.addDialogue("Alice", "Let's meet at Starbucks tomorrow at 2pm", "2025-11-15T14:30:00");
 *     await mem.finalize();
 *     const { answer } = await mem.ask("When and where do we meet?");
 *     await mem.close();
 *
 * Unlike the original, nothing is only buffered: a line is on disk when `addDialogue` returns, a window whose call failed is
 * tried again, and "tomorrow" is meant from when it was said.
 */
import { z } from "zod";
import { systemClock } from "../../base/clock.ts";
import { parseInput } from "../../base/parse-input.ts";
import { wallTime } from "../../text/time/zone.ts";
import type { Answer } from "../ask.ts";
import type { Derived } from "../derive.ts";
import type { ErasureReport } from "../forget.ts";
import { Memory } from "../memory.ts";
import type { MemoryOptions } from "../memory-options.ts";
import type { Status } from "../status.ts";
import { type Dialogue, dialogueOf, dialoguesSchema, type NewDialogue, turnOf } from "./dialogue.ts";
import { type MemoryEntry, memoryEntryOf } from "./memory-entry.ts";
import { type MomentInput, momentFrom, momentInput } from "./moment-input.ts";
import { type Conditions, keywordSearch, semanticSearch, structuredSearch } from "./searches.ts";
import { type Settings, type Switches, switched } from "./switches.ts";

export interface SimpleMemOptions extends Omit<MemoryOptions, "preset">, Switches {
  /** Where the clocks hang: an IANA name, or an offset as "+08:00". @default UTC */
  readonly zone?: string | undefined;
  /** Whether to begin with an empty memory: everything of the scope is erased, what was said among it. @default false */
  readonly clear_db?: boolean | undefined;
}

export interface RetrieveOptions {
  /** For this question only. @default as opened */
  readonly enable_reflection?: boolean | undefined;
  /** When it is asked: "last week" is meant from here. @default now */
  readonly at?: MomentInput | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface MemoryPage {
  readonly entries: readonly MemoryEntry[];
  /** Hand it in for the next page; null: that was the last. */
  readonly next: string | null;
}

const retrieveSchema = z.strictObject({
  enable_reflection: z.boolean().optional(),
  at: momentInput.optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

const askSchema = retrieveSchema.omit({ enable_reflection: true });

export class SimpleMem {
  /** The same memory with all its other verbs: history, export, context … */
  readonly memory: Memory;
  /** What is at work. */
  readonly settings: Settings;
  readonly #zone: string;
  readonly #now: () => number;

  private constructor(memory: Memory, settings: Settings, zone: string, now: () => number) {
    this.memory = memory;
    this.settings = settings;
    this.#zone = zone;
    this.#now = now;
  }

  static async open(options: SimpleMemOptions): Promise<SimpleMem> {
    const {
      path,
      url,
      storage,
      scope,
      model,
      embedder,
      reranker,
      env,
      clock,
      trace,
      background,
      onWindow,
      ...more
    } = options;
    const { zone = "UTC", clear_db = false, ...switches } = more;
    // Refuses what is no zone.
    wallTime(0, parseInput(z.string(), zone, "option zone"));
    const isClear = parseInput(z.boolean(), clear_db, "option clear_db");
    const { preset, settings } = await switched(switches);
    const given = {
      path,
      url,
      storage,
      scope,
      model,
      embedder,
      reranker,
      env,
      clock,
      trace,
      background,
      onWindow,
    };
    const memory = await Memory.open({ ...given, preset });
    const opened = new SimpleMem(memory, settings, zone, () => (clock ?? systemClock).now());
    try {
      if (isClear) await opened.clear();
    } catch (error) {
      await memory.close();
      throw error;
    }
    return opened;
  }

  /** Keeps a line (S2-13): it is on disk when this returns, and compressed when its window is full. */
  async addDialogue(speaker: string, content: string, timestamp?: MomentInput): Promise<Dialogue> {
    const turn = turnOf({ speaker, content, timestamp }, this.#zone, this.#now());
    const { turns } = await this.memory.remember(turn, { wait: "journal" });
    return dialogueOf(turns[0] ?? "", turn);
  }

  /** All of them or, if one is not valid, none. */
  async addDialogues(dialogues: readonly NewDialogue[]): Promise<Dialogue[]> {
    const turns = parseInput(dialoguesSchema, dialogues, "list of dialogues").map((dialogue) =>
      turnOf(dialogue, this.#zone, this.#now()),
    );
    const { turns: ids } = await this.memory.remember(turns, { wait: "journal" });
    return turns.map((turn, place) => dialogueOf(ids[place] ?? "", turn));
  }

  /** Takes up all that was said, the last window though it is not full (S2-15). */
  finalize(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<Derived> {
    return this.memory.flush({ ...options, finish: true });
  }

  /** What answers the question (S2-23 … S2-30), best first, within the budget of tokens. */
  async retrieve(question: string, options: RetrieveOptions = {}): Promise<MemoryEntry[]> {
    const text = parseInput(z.string(), question, "question");
    const { enable_reflection, at, signal } = parseInput(retrieveSchema, options, "options of retrieve");
    const rounds =
      enable_reflection === undefined
        ? undefined
        : enable_reflection
          ? this.settings.max_reflection_rounds
          : 0;
    const asked = at === undefined ? undefined : momentFrom(at, this.#zone, "at");
    const { hits } = await this.memory
      .running()
      .design.retrieve(this.memory.scope, { text, rounds, at: asked, zone: this.#zone }, { signal });
    return hits.map(memoryEntryOf);
  }

  /** The answer from memory (S2-31): what `retrieve` finds, and then one call. */
  async ask(question: string, options: Omit<RetrieveOptions, "enable_reflection"> = {}): Promise<Answer> {
    const { at, signal } = parseInput(askSchema, options, "options of ask");
    const asked = at === undefined ? undefined : momentFrom(at, this.#zone, "at");
    return this.memory.ask(question, { asked, zone: this.#zone, signal });
  }

  /** By meaning alone (S2-20). */
  semanticSearch(query: string, topK = this.settings.semantic_top_k): Promise<MemoryEntry[]> {
    return semanticSearch(this.memory.running(), this.memory.scope, query, topK);
  }

  /** By words alone, any of them (S2-21). */
  keywordSearch(keywords: readonly string[], topK = this.settings.keyword_top_k): Promise<MemoryEntry[]> {
    return keywordSearch(this.memory.running(), this.memory.scope, keywords, topK);
  }

  /** By persons, things, place and time alone, all that are given (S2-22). */
  structuredSearch(conditions: Conditions, topK = this.settings.structured_top_k): Promise<MemoryEntry[]> {
    const given = { conditions, topK, zone: this.#zone };
    return structuredSearch(this.memory.running(), this.memory.scope, given);
  }

  /** Every memory, page by page. */
  async getAllMemories(
    options: { readonly after?: string | undefined; readonly limit?: number | undefined } = {},
  ): Promise<MemoryPage> {
    const { entries, next } = await this.memory.list(options);
    return { entries: entries.map(memoryEntryOf), next };
  }

  /** Erases everything of the scope, the dialogue itself among it; it cannot be undone. */
  clear(): Promise<ErasureReport> {
    return this.memory.forget({ everything: true });
  }

  /** What waits to be compressed, and why it waits. */
  status(): Promise<Status> {
    return this.memory.status();
  }

  close(): Promise<void> {
    return this.memory.close();
  }
}
