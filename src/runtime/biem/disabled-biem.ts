/** BIEM without a memory (S4-22): an agent goes on, nothing is recalled and nothing kept, and `status` says so. */
import { MemoryError } from "../../base/errors.ts";
import type { Biem, BiemStats, BiemStatus, Judged, NodePage } from "./biem.ts";
import type { Resolved } from "./conflicts.ts";

export class DisabledBiem implements Biem {
  readonly isDisabled = true;
  readonly #reason: string;

  constructor(reason: string) {
    this.#reason = reason;
  }

  async ingest(): Promise<null> {
    return null;
  }

  async recall(): Promise<readonly never[]> {
    return [];
  }

  async prepareContext(): Promise<string> {
    return "";
  }

  async recordUserMessage(): Promise<void> {
    return undefined;
  }

  async recordAssistantMessage(): Promise<void> {
    return undefined;
  }

  async recordToolResult(): Promise<void> {
    return undefined;
  }

  async get(): Promise<null> {
    return null;
  }

  async links(): Promise<readonly never[]> {
    return [];
  }

  async canvas(): Promise<readonly never[]> {
    return [];
  }

  async web(): Promise<NodePage> {
    return { nodes: [], next: null };
  }

  async crystalFacts(): Promise<readonly never[]> {
    return [];
  }

  async crystalLinks(): Promise<readonly never[]> {
    return [];
  }

  async conflicts(): Promise<readonly never[]> {
    return [];
  }

  /** There is nothing to settle: whoever names a conflict or a memory is mistaken, and is told. */
  async resolveConflict(): Promise<Resolved> {
    throw this.#none();
  }

  async feedback(): Promise<Judged> {
    throw this.#none();
  }

  async consolidate(): Promise<null> {
    return null;
  }

  async stats(): Promise<BiemStats> {
    const bands = { hot: 0, warm: 0, cold: 0, fading: 0, faint: 0 };
    return { tiers: {}, energy: { mean: 0, bands }, links: {}, conflicts: 0 };
  }

  async status(): Promise<BiemStatus> {
    return { disabled: this.#reason, memory: null };
  }

  async close(): Promise<void> {
    return undefined;
  }

  #none(): MemoryError {
    return new MemoryError("entry_not_found", `There is no memory: ${this.#reason}`);
  }
}
