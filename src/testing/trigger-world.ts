/** A service under a trigger: real storage, a clock that stands still, the hash embedder, and a scripted model if one is wanted. */
import { manualClock } from "../base/clock.ts";
import type { Entry } from "../base/entry.ts";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import type { Collection } from "../collection/collection.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import { resolveEndpoint } from "../models/endpoints.ts";
import { openAiCompatible } from "../models/openai-compatible.ts";
import { openService } from "../services/index.ts";
import type { MemoryService, OptimizeReport, ServiceInsert, Trigger } from "../services/service.ts";
import { CONTENT, textField } from "../services/vector-fields.ts";
import { openInMemory } from "../storage/memory.ts";
import type { Storage } from "../storage/storage.ts";
import { hashEmbedder } from "./hash-embedder.ts";
import { type ModelServer, type Script, startModelServer } from "./model-server.ts";

export const ALICE: Scope = parseScope("alice");
export const HOUR = 3_600_000;
export const DAY: number = 24 * HOUR;

export interface TriggerWorldOptions {
  /** @default "neuromem_vdb" */
  readonly service?: string;
  /** Besides the collection and the vitality. @default { top_k: 10 } */
  readonly options?: JsonObject;
  readonly chat?: Script;
  /** @default "throw" */
  readonly onBadReply?: "fallback" | "throw";
  /** @default one in memory */
  readonly storage?: Storage;
}

export interface TriggerWorld {
  readonly clock: ReturnType<typeof manualClock>;
  readonly service: MemoryService;
  readonly store: Collection;
  readonly server: ModelServer | undefined;
  /** Commits of the storage since the last call: how many writes there were. */
  writes(): number;
  add(content: string, more?: Omit<ServiceInsert, "content">, scope?: Scope): Promise<EntryId>;
  run(
    trigger: Trigger,
    config: JsonObject,
    entries?: readonly EntryId[],
    scope?: Scope,
  ): Promise<OptimizeReport>;
  get(id: EntryId | undefined, scope?: Scope): Promise<Entry>;
  close(): Promise<void>;
}

export async function openTriggerWorld(given: TriggerWorldOptions = {}): Promise<TriggerWorld> {
  const clock = manualClock(Date.UTC(2026, 4, 4, 12));
  let writes = 0;
  const trace = (event: TraceEvent): void => {
    if (event.type === "storage-commit") writes += event.writes;
  };
  const storage = given.storage ?? (await openInMemory({ clock, trace }));
  const manager = new CollectionManager(storage, { clock });
  const embedder = hashEmbedder();
  const server = given.chat === undefined ? undefined : await startModelServer({ chat: given.chat });
  const model =
    server === undefined
      ? undefined
      : openAiCompatible(resolveEndpoint("test", { baseUrl: server.url, model: "m", json: "schema" }));
  const options = { collection_name: "notes", vitality: null, ...(given.options ?? { top_k: 10 }) };
  const service = await openService(given.service ?? "neuromem_vdb", options, {
    manager,
    clock,
    trace,
    fields: [textField(CONTENT, embedder.spaces)],
    embedder,
    thinking: { model, onBadReply: given.onBadReply ?? "throw" },
  });
  const store = await manager.get(service.collection);
  return {
    clock,
    service,
    store,
    server,
    writes() {
      const count = writes;
      writes = 0;
      return count;
    },
    async add(content, more = {}, scope = ALICE) {
      const vector = await embedder.embedDocument(content);
      return service.insert(scope, {
        content,
        ...(vector === undefined ? {} : { vectors: [vector] }),
        ...more,
      });
    },
    run: (trigger, config, entries, scope = ALICE) => service.optimize(scope, { trigger, config, entries }),
    async get(id, scope = ALICE) {
      const entry = id === undefined ? undefined : await store.get(scope, id);
      if (entry === undefined) throw new Error(`there is no entry ${id}`);
      return entry;
    },
    async close() {
      await manager.close();
      await server?.close();
    },
  };
}
