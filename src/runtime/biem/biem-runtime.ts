/**
 * BIEM (seed 004; C-12): memories whose energy fades and rises, on a canvas over a web of links over a crystal of facts. A view
 * over `Memory` with the preset biem; every number of it stands there.
 *
 *     const biem = await openBiem({ path: "memory.db", scope: "mia" });
 *     const block = await biem.prepareContext("What about PyTorch?"); // after the system prompt, before the history
 *     await biem.recordUserMessage("What about PyTorch?");
 *     await biem.recordAssistantMessage("PyTorch is a framework for deep learning.");
 *     await biem.close();
 */
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { where } from "../../base/filter.ts";
import type { TurnId } from "../../base/ids.ts";
import { momentSchema } from "../../base/moment.ts";
import { parseInput } from "../../base/parse-input.ts";
import { labelSchema } from "../../base/text-input.ts";
import { markRecalled } from "../../text/recalled-marks.ts";
import type { Consolidated } from "../consolidate.ts";
import { currentOnly, list } from "../list.ts";
import { memoriesOf } from "../memories-of.ts";
import type { Memory } from "../memory.ts";
import { ownEntries } from "../pages.ts";
import type { RecalledText } from "../record.ts";
import {
  type Biem,
  type BiemStats,
  type BiemStatus,
  type FeedbackOptions,
  type IngestOptions,
  type Judged,
  type MessageOptions,
  type NodePage,
  type PageOptions,
  SOURCES,
} from "./biem.ts";
import { linkCause } from "./causal-link.ts";
import {
  type Conflict,
  conflictsOf,
  RESOLUTIONS,
  type Resolution,
  type Resolved,
  resolve,
} from "./conflicts.ts";
import { allLinks, type CrystalFact, type CrystalLink, factsIn } from "./crystal.ts";
import { type Link, type MemoryNode, type NodePlace, nodeOf, nodesOf } from "./memory-node.ts";
import { statsOf } from "./stats.ts";

const ingestSchema = z.strictObject({
  source: z.enum(SOURCES).default("user"),
  importance: z.number().min(0).max(1).optional(),
  location: z.string().min(1).optional(),
  tags: z.array(labelSchema).max(1000).optional(),
  speaker: z.string().optional(),
  session: z.string().optional(),
  happenedAt: momentSchema.optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

const messageSchema = z.strictObject({
  speaker: z.string().optional(),
  session: z.string().optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

const feedbackSchema = z.strictObject({ question: z.string().optional() });

export class BiemRuntime implements Biem {
  readonly isDisabled = false;
  /** The same memory with all its other verbs: history, undo, forget, export … */
  readonly memory: Memory;
  readonly #recordsTools: boolean;
  /** What the next answer was given, and what it answers. */
  #recalled: readonly RecalledText[] = [];
  #asked: TurnId | undefined;

  constructor(memory: Memory, { recordTools = false }: { readonly recordTools?: boolean | undefined } = {}) {
    this.memory = memory;
    this.#recordsTools = recordTools;
    checkDesign(memory);
  }

  async ingest(content: string, options: IngestOptions = {}): Promise<MemoryNode | null> {
    const given = parseInput(ingestSchema, options, "options of ingest");
    const { source, importance, location, tags, signal, ...turn } = given;
    const told = Object.entries({ importance, location, tags }).filter(([, value]) => value !== undefined);
    const metadata = {
      ...Object.fromEntries(told),
      ...(source === "explicit" ? { source } : {}),
    };
    const role = source === "explicit" ? "user" : source;
    const said = { ...turn, text: content, role, metadata };
    const { memories } = await this.memory.remember(said, { wait: "memory", signal });
    const [id] = memories ?? [];
    return id === undefined ? null : nodeOf(this.#place, id);
  }

  async recall(query: string, topK?: number): Promise<readonly MemoryNode[]> {
    const { hits } = await this.memory.recall(query, topK === undefined ? {} : { limit: topK });
    const { running, scope } = this.#place;
    const ids = hits.map(({ id }) => id);
    // Read anew: a look has made each of them livelier.
    const entries = await running.storage.entries(scope, running.design.service.collection, ids);
    return nodesOf(
      this.#place,
      entries.filter((entry) => entry !== undefined),
    );
  }

  async prepareContext(input: string): Promise<string> {
    const { context, hits } = await this.memory.recall(input);
    this.#recalled = hits;
    return context === null || context.trim() === "" ? "" : markRecalled(context.trim());
  }

  async recordUserMessage(text: string, options: MessageOptions = {}): Promise<void> {
    const { signal, ...turn } = parseInput(messageSchema, options, "options of the message");
    const { turns } = await this.memory.record({ user: { ...turn, text } }, { signal });
    this.#asked = turns[0];
  }

  async recordAssistantMessage(text: string, options: MessageOptions = {}): Promise<void> {
    const { signal, ...turn } = parseInput(messageSchema, options, "options of the message");
    const recalled = this.#recalled.map(({ content, text: shown }) => ({ content, text: shown }));
    await this.memory.record({ assistant: { ...turn, text }, recalled }, { signal });
  }

  async recordToolResult(text: string, options: MessageOptions = {}): Promise<void> {
    const { signal, ...turn } = parseInput(messageSchema, options, "options of the message");
    if (this.#recordsTools) await this.memory.remember({ ...turn, text, role: "tool" }, { signal });
  }

  get(id: string): Promise<MemoryNode> {
    return this.memory.get(id).then((entry) => nodeOf(this.#place, entry.id));
  }

  async links(id: string): Promise<readonly Link[]> {
    return (await this.get(id)).links;
  }

  async canvas(): Promise<readonly MemoryNode[]> {
    const { running, scope } = this.#place;
    const filter = where.and(currentOnly, where.eq("tier", this.#tiers.canvas));
    const entries = [];
    const { collection } = running.design.service;
    for await (const entry of ownEntries(running.storage, scope, { collection, filter })) entries.push(entry);
    return (await nodesOf(this.#place, entries)).sort((a, b) => b.energy - a.energy);
  }

  async web(options: PageOptions = {}): Promise<NodePage> {
    const { running, scope } = this.#place;
    const filter = where.not(where.eq("tier", this.#tiers.crystal));
    const { entries, next } = await list(running, scope, { ...options, filter });
    return { nodes: await nodesOf(this.#place, entries), next };
  }

  crystalFacts(): Promise<readonly CrystalFact[]> {
    return factsIn(this.#place, this.#tiers.crystal);
  }

  crystalLinks(): Promise<readonly CrystalLink[]> {
    return allLinks(this.#place);
  }

  conflicts(): Promise<readonly Conflict[]> {
    return conflictsOf(this.#place);
  }

  async resolveConflict(id: string, resolution: Resolution): Promise<Resolved> {
    return resolve(this.#place, id, parseInput(z.enum(RESOLUTIONS), resolution, "resolution"));
  }

  async feedback(id: string, value: number, options: FeedbackOptions = {}): Promise<Judged> {
    const { question } = parseInput(feedbackSchema, options, "options of feedback");
    const place = this.#place;
    const { running, scope } = place;
    const entry = await this.memory.get(id);
    const asked = question === undefined ? await this.#lastQuestion() : (await this.memory.get(question)).id;
    await running.design.service.feedback(scope, [entry], value);
    const isCausal = asked !== undefined && (await linkCause(place, entry.id, asked, value));
    return { node: await nodeOf(place, entry.id), isCausal };
  }

  consolidate(options?: { readonly signal?: AbortSignal | undefined }): Promise<Consolidated> {
    return this.memory.consolidate(options);
  }

  stats(): Promise<BiemStats> {
    return statsOf(this.#place, this.#tiers);
  }

  async status(): Promise<BiemStatus> {
    return { disabled: null, memory: await this.memory.status() };
  }

  close(): Promise<void> {
    return this.memory.close();
  }

  get #place(): NodePlace {
    return { running: this.memory.running(), scope: this.memory.scope };
  }

  get #tiers(): { readonly canvas: string; readonly web: string; readonly crystal: string } {
    const [canvas = "", web = "", crystal = ""] = this.memory.running().design.service.traits.tiers;
    return { canvas, web, crystal };
  }

  async #lastQuestion() {
    if (this.#asked === undefined) return undefined;
    const { running, scope } = this.#place;
    const turns = await running.storage.turns(scope, { ids: [this.#asked], limit: 1 });
    return turns.length === 0 ? undefined : (await memoriesOf(running, scope, turns))[0];
  }
}

function checkDesign(memory: Memory): void {
  const { preset, service } = memory.running().design;
  const { vitality } = preset.service.options;
  const isAlive = typeof vitality === "object" && vitality !== null && "policy" in vitality;
  if (service.traits.tiers.length === 3 && isAlive && vitality.policy === "biem_energy") return;
  throw new MemoryError(
    "preset_invalid",
    `The preset ${preset.name} is no design of BIEM: three tiers and the vitality biem_energy. Valid: biem, or a preset that extends it.`,
  );
}
