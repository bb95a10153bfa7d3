/**
 * What BIEM's users call (seed 004; C-12). There are two of it: one over a memory, and one that works without any (S4-22), so
 * that an agent need not ask which it has.
 */
import type { Consolidated } from "../consolidate.ts";
import type { Status } from "../status.ts";
import type { Conflict, Resolution, Resolved } from "./conflicts.ts";
import type { CrystalFact, CrystalLink } from "./crystal.ts";
import type { EnergyBand } from "./energy-bands.ts";
import type { Link, MemoryNode } from "./memory-node.ts";

export const SOURCES = ["user", "assistant", "tool", "explicit"] as const;
export type Source = (typeof SOURCES)[number];

export interface IngestOptions {
  /** Who it comes from; explicit: somebody said "remember this". @default user */
  readonly source?: Source | undefined;
  /** 0 to 1: its energy, in place of an estimate. */
  readonly importance?: number | undefined;
  readonly location?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly speaker?: string | undefined;
  readonly session?: string | undefined;
  /** When it was said (epoch ms). @default now */
  readonly happenedAt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface MessageOptions {
  readonly speaker?: string | undefined;
  readonly session?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FeedbackOptions {
  /** The memory of the question that it answered. @default the last user message that was recorded here */
  readonly question?: string | undefined;
}

export interface Judged {
  readonly node: MemoryNode;
  /** Whether it is tied to the question as what followed from it. */
  readonly isCausal: boolean;
}

export interface PageOptions {
  readonly after?: string | undefined;
  /** @default 100 */
  readonly limit?: number | undefined;
}

export interface NodePage {
  readonly nodes: readonly MemoryNode[];
  readonly next: string | null;
}

export interface BiemStats {
  /** In recall, by tier; the canvas lies over the web, so what is on it counts in both. */
  readonly tiers: Readonly<Record<string, number>>;
  readonly energy: { readonly mean: number; readonly bands: Readonly<Record<EnergyBand, number>> };
  readonly links: Readonly<Record<string, number>>;
  readonly conflicts: number;
}

export interface BiemStatus {
  /** Why there is no memory; null: there is one. */
  readonly disabled: string | null;
  readonly memory: Status | null;
}

export interface Biem {
  readonly isDisabled: boolean;
  /** Stores it (S4-15) and gives the memory that stands for it; null: none does, or not yet. */
  ingest(content: string, options?: IngestOptions): Promise<MemoryNode | null>;
  /** Best first (S4-17); each was looked at, and is the livelier for it. @default topK the preset's */
  recall(query: string, topK?: number): Promise<readonly MemoryNode[]>;
  /** The block for the prompt (S4-20, S4-23): after the agent's own prompt, before the history; "" for nothing. */
  prepareContext(input: string): Promise<string>;
  recordUserMessage(text: string, options?: MessageOptions): Promise<void>;
  /** What it only repeats of the last prepared context is no news. */
  recordAssistantMessage(text: string, options?: MessageOptions): Promise<void>;
  /** Kept only where the runtime was opened with `recordTools`. */
  recordToolResult(text: string, options?: MessageOptions): Promise<void>;
  /** Refused where there is none; null without a memory. */
  get(id: string): Promise<MemoryNode | null>;
  links(id: string): Promise<readonly Link[]>;
  /** L1: the canvas, liveliest first. */
  canvas(): Promise<readonly MemoryNode[]>;
  /** L2: the web, in the order things came. */
  web(options?: PageOptions): Promise<NodePage>;
  /** L3: facts. */
  crystalFacts(): Promise<readonly CrystalFact[]>;
  crystalLinks(): Promise<readonly CrystalLink[]>;
  conflicts(): Promise<readonly Conflict[]>;
  resolveConflict(id: string, resolution: Resolution): Promise<Resolved>;
  /** −1 useless, 1 useful (S4-13); high praise ties it to what it answered. */
  feedback(id: string, value: number, options?: FeedbackOptions): Promise<Judged>;
  /** Sweeps, links and facts, now instead of in the background. */
  consolidate(options?: { readonly signal?: AbortSignal | undefined }): Promise<Consolidated | null>;
  stats(): Promise<BiemStats>;
  status(): Promise<BiemStatus>;
  close(): Promise<void>;
}
