/** A service under test, the storage and clock it runs on, and the notes it is asked to remember. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { manualClock } from "../base/clock.ts";
import type { Edge } from "../base/edge.ts";
import type { Entry } from "../base/entry.ts";
import type { ErrorCode } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import { silent, type TraceEvent } from "../base/trace.ts";
import type { Vector } from "../base/vector.ts";
import type { Collection } from "../collection/collection.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import { STRATEGIES, type Strategy } from "../services/hints.ts";
import { serviceNamed } from "../services/index.ts";
import type {
  MemoryService,
  PendingItem,
  ServiceDefinition,
  ServiceDeps,
  ServiceInsert,
  ServiceQuery,
  Trigger,
} from "../services/service.ts";
import { CONTENT, textField, type VectorField } from "../services/vector-fields.ts";
import { openInMemory } from "../storage/memory.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { hashEmbedder } from "./hash-embedder.ts";

export const ALICE: Scope = parseScope("alice");
export const BOB: Scope = parseScope("鲍勃");

/** What a service is tested with unless its subject says otherwise. */
export const FIELDS: readonly VectorField[] = [textField(CONTENT, hashEmbedder().spaces)];

/** Said by different people about different things; every one names somebody. */
export const NOTES: readonly string[] = [
  "Melanie plays the violin in Berlin",
  "王芳在北京开了一家咖啡馆",
  "Oliver bought a train ticket to Vienna",
  "李明周末去上海看医生",
  "Caroline painted the garden blue",
  "张伟喜欢在公园跑步",
];

/** One config of a trigger, and what makes it change something. */
export interface TriggerCase {
  readonly config: JsonObject;
  /** Whether it removes for good. @default false */
  readonly deletes?: boolean | undefined;
  /** What ALICE must have besides the notes, of which these are the ids, so that there is something to do. */
  setUp?(world: ServiceWorld, notes: readonly EntryId[]): Promise<unknown>;
}

export interface ServiceSubject {
  /** As the registry names it. */
  readonly name: string;
  /** Of a service that the registry does not know. */
  readonly definition?: ServiceDefinition | undefined;
  /** Told apart by it, where one service is tested several times. */
  readonly variant?: string | undefined;
  /** As a preset writes them. */
  readonly options: JsonObject;
  /** @default one field over the content, in the space of the test embedder */
  readonly fields?: readonly VectorField[] | undefined;
  /** How the n-th note is asked for, where its own words and vectors are not enough. */
  readonly ask?: Readonly<Partial<Record<Strategy, (n: number) => Partial<ServiceQuery>>>> | undefined;
  /** At least one case for each trigger of the service. Each must change something when it is run, and once only. */
  readonly triggers?: Readonly<Partial<Record<Trigger, readonly TriggerCase[]>>> | undefined;
  /** Options in place of those above under which twenty entries are more than fit, where that is possible. */
  readonly crowded?: JsonObject | undefined;
  /** Makes the service leave at least two pending items for ALICE; needed where it can leave any. */
  provoke?(world: ServiceWorld): Promise<void>;
}

export const STORAGES = ["memory", "a file"] as const;
export type StorageName = (typeof STORAGES)[number];

export class ServiceWorld {
  readonly subject: ServiceSubject;
  readonly clock = manualClock(Date.UTC(2026, 4, 1));
  readonly embedder: EmbedderSet = hashEmbedder();
  readonly #on: StorageName;
  #folder = "";
  #embedded: readonly (Vector | undefined)[] = [];
  #open: Opened | undefined;
  readonly #others: Opened[] = [];
  #writes = 0;

  constructor(subject: ServiceSubject, on: StorageName) {
    this.subject = subject;
    this.#on = on;
  }

  get service(): MemoryService {
    return this.#opened.service;
  }

  /** The one collection of the service, to look at what lies in it. */
  get store(): Collection {
    return this.#opened.store;
  }

  get deps(): ServiceDeps {
    return this.#opened.deps;
  }

  get fields(): readonly VectorField[] {
    return this.subject.fields ?? FIELDS;
  }

  /** What was written since the last call: entries, memberships, edges, counts, and what waits. */
  takeWrites(): number {
    const writes = this.#writes;
    this.#writes = 0;
    return writes;
  }

  async start(): Promise<void> {
    this.#embedded = await this.embedder.embedDocuments(NOTES);
    if (this.#on === "a file") this.#folder = await mkdtemp(join(tmpdir(), "neuromem-"));
    this.#open = await this.#openOn(await this.#openStorage());
  }

  /** Opens the subject's service once more, as a preset that wrote these options would. */
  async openWith(options: unknown, deps: ServiceDeps = this.deps): Promise<MemoryService> {
    const { name, definition = serviceNamed(name) } = this.subject;
    return definition.open(
      parseInput(definition.options, options, `options of ${name}`, "option_invalid"),
      deps,
    );
  }

  /** The service anew over the same data; the storage, too, where it outlives being closed. */
  async reopen(): Promise<void> {
    const { storage, deps } = this.#opened;
    if (this.#on === "a file") await deps.manager.close();
    this.#open = await this.#openOn(this.#on === "memory" ? storage : await this.#openStorage());
  }

  /** The same service once more beside the first, as another process has it: another manager, and another connection. */
  async another(): Promise<MemoryService> {
    const { storage } = this.#opened;
    const other = await this.#openOn(this.#on === "memory" ? storage : await this.#openStorage());
    this.#others.push(other);
    return other.service;
  }

  async stop(): Promise<void> {
    for (const other of this.#others) if (this.#on === "a file") await other.deps.manager.close();
    await this.#open?.deps.manager.close();
    if (this.#folder !== "") await rm(this.#folder, { recursive: true });
  }

  /** The n-th note, each a minute after the one before. */
  async remember(scope: Scope, n: number, more: Partial<ServiceInsert> = {}): Promise<EntryId> {
    this.clock.advance(60_000);
    const entry: ServiceInsert = { content: noteOf(n), vectors: this.vectorsOf(n), ...more };
    return this.service.insert(scope, frozen(entry));
  }

  /** Any text, embedded, a minute after what was said before. */
  async say(scope: Scope, content: string, more: Partial<ServiceInsert> = {}): Promise<EntryId> {
    this.clock.advance(60_000);
    const vectors = this.#vectorsFor(await this.embedder.embedDocument(content), 0);
    return this.service.insert(scope, frozen({ content, vectors, ...more }));
  }

  /** What asks for the n-th note by one of the service's strategies. */
  questionFor(n: number, strategy: Strategy): ServiceQuery {
    const more = this.subject.ask?.[strategy]?.(n) ?? {};
    const hints = { strategy, ...more.hints };
    return frozen({ text: noteOf(n), vectors: this.vectorsOf(n), topK: 50, ...more, hints });
  }

  async ask(scope: Scope, n: number, strategy: Strategy, touch = false): Promise<EntryId[]> {
    const hits = await this.service.retrieve(scope, { ...this.questionFor(n, strategy), touch });
    return hits.map(({ id }) => id);
  }

  /** One vector per space: of the embedder what it makes of the note, of any other a direction of the note's own. */
  vectorsOf(n: number): Vector[] {
    return this.#vectorsFor(this.#embedded[n % NOTES.length], n);
  }

  #vectorsFor(embedded: Vector | undefined, n: number): Vector[] {
    return this.fields.flatMap(({ spaces }) =>
      spaces.map(({ space, dimension }) =>
        embedded?.space === space ? embedded : { space, values: unitVector(n % NOTES.length, dimension) },
      ),
    );
  }

  get strategies(): readonly Strategy[] {
    return strategiesIn(this.service.traits.strategies);
  }

  /** Everything of the collection that the scope sees, by id. */
  async everything(scope: Scope): Promise<Map<EntryId, Entry>> {
    return new Map((await this.store.scan(scope, { limit: 10_000 })).map((entry) => [entry.id, entry]));
  }

  /** All that a change could be seen by: entries, the indexes they are in, edges, and what waits. */
  async state(scope: Scope): Promise<ServiceState> {
    const entries = await this.everything(scope);
    const ids = [...entries.keys()];
    const memberships = await this.store.memberships(scope, ids);
    const { pendingItems } = await this.service.getStatus(scope);
    return {
      entries,
      edges: await this.store.edges(scope, ids),
      indexes: new Map(ids.map((id, place) => [id, memberships[place] ?? []])),
      pendingItems,
    };
  }

  refuses(code: ErrorCode, promise: Promise<unknown>): Promise<void> {
    return expect(promise).rejects.toMatchObject({ code });
  }

  #openStorage(): Promise<Storage> {
    const { clock } = this;
    const trace = (event: TraceEvent): void => {
      if (event.type === "storage-commit") this.#writes += event.writes;
    };
    return this.#on === "memory"
      ? openInMemory({ clock, trace })
      : openSqlite(join(this.#folder, "memory.db"), { clock, trace });
  }

  async #openOn(storage: Storage): Promise<Opened> {
    const { clock, fields, embedder } = this;
    const manager = new CollectionManager(storage, { clock });
    const thinking = { onBadReply: "throw" as const };
    const deps: ServiceDeps = { manager, clock, trace: silent, fields, embedder, thinking };
    const service = await this.openWith(this.subject.options, deps);
    return { storage, deps, service, store: await manager.get(service.collection) };
  }

  get #opened(): Opened {
    if (this.#open === undefined) throw new Error("start() opens the service");
    return this.#open;
  }
}

interface Opened {
  readonly storage: Storage;
  readonly deps: ServiceDeps;
  readonly service: MemoryService;
  readonly store: Collection;
}

export interface ServiceState {
  readonly entries: ReadonlyMap<EntryId, Entry>;
  readonly edges: readonly Edge[];
  readonly indexes: ReadonlyMap<EntryId, readonly string[]>;
  readonly pendingItems: readonly PendingItem[];
}

export function noteOf(n: number): string {
  return NOTES[n % NOTES.length] ?? "";
}

/** Ways of looking that give memories: "fact" gives what they state, and has tests of its own. */
export function strategiesIn(offered: MemoryService["traits"]["strategies"]): readonly Strategy[] {
  return STRATEGIES.filter((name) => name !== "fact" && offered[name] !== undefined);
}

/** Nearly at right angles to the others. */
function unitVector(n: number, dimension: number): Float32Array {
  const values = new Float32Array(dimension).fill(0.05);
  values[n % dimension] = 1;
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

/** Whoever changes what a caller handed in is found out. Typed arrays cannot be frozen. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
