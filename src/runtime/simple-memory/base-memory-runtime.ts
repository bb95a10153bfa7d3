/** What both runtimes share: scopes refused or bound, input checked, requests logged, items made. They differ in how they look. */
import { invariant, MemoryError } from "../../base/errors.ts";
import type { Filter } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import { parseInput } from "../../base/parse-input.ts";
import { parseScope } from "../../base/scope.ts";
import type { Memory } from "../memory.ts";
import { toItem, toRecalled } from "./memory-item.ts";
import type {
  ChainedRequest,
  MemoryItem,
  MemoryRuntime,
  NewMemory,
  RecalledMemory,
  RecallRequest,
  RuntimeFeedback,
} from "./memory-runtime.ts";
import { failLine, type RequestMeter, type RuntimeLog } from "./runtime-log.ts";
import {
  chainedSchema,
  feedbackSchema,
  idsSchema,
  newMemorySchema,
  querySchema,
  recallSchema,
  toJudged,
  typeFilter,
} from "./runtime-requests.ts";

export interface RuntimeDeps {
  /** Of any scope: each call is bound to its own. Closed with the runtime. */
  readonly memory: Memory;
  readonly meter: RequestMeter;
  readonly log: RuntimeLog;
}

/** How many, and which. */
export interface Look {
  readonly limit: number | undefined;
  readonly filter: Filter | undefined;
}

export abstract class BaseMemoryRuntime implements MemoryRuntime {
  abstract readonly name: string;
  abstract readonly notes: MemoryRuntime["notes"];
  readonly #deps: RuntimeDeps;

  constructor(deps: RuntimeDeps) {
    this.#deps = deps;
  }

  protected abstract look(memory: Memory, query: string, look: Look): Promise<readonly Hit[]>;
  protected abstract lookWidely(memory: Memory, query: string, look: Look): Promise<readonly Hit[]>;
  protected abstract lookAlong(
    memory: Memory,
    query: string,
    entities: readonly string[] | undefined,
    look: Look,
  ): Promise<readonly Hit[]>;

  remember(scope: string, given: NewMemory): Promise<string> {
    return this.#request(
      "remember",
      scope,
      async (memory) => {
        const checked = parseInput(newMemorySchema, given, "memory");
        const { memories, delayed } = await memory.remember(toJudged(checked, true), { wait: "memory" });
        if (delayed !== null) throw notYet(delayed);
        const [id] = memories ?? [];
        invariant(id !== undefined, "A judged memory was taken up and has no id");
        return id;
      },
      () => 1,
    );
  }

  recall(scope: string, query: string, request: RecallRequest = {}): Promise<readonly RecalledMemory[]> {
    return this.#recall("recall", scope, query, async (memory, text) =>
      this.look(memory, text, lookOf(parseInput(recallSchema, request, "recall"))),
    );
  }

  comprehensiveRecall(
    scope: string,
    query: string,
    request: RecallRequest = {},
  ): Promise<readonly RecalledMemory[]> {
    return this.#recall("comprehensiveRecall", scope, query, async (memory, text) =>
      this.lookWidely(memory, text, lookOf(parseInput(recallSchema, request, "recall"))),
    );
  }

  chainedRecall(
    scope: string,
    query: string,
    request: ChainedRequest = {},
  ): Promise<readonly RecalledMemory[]> {
    return this.#recall("chainedRecall", scope, query, async (memory, text) => {
      const { entities, ...rest } = parseInput(chainedSchema, request, "recall");
      return this.lookAlong(memory, text, entities, lookOf(rest));
    });
  }

  feedback(scope: string, given: RuntimeFeedback): Promise<readonly MemoryItem[]> {
    return this.#request(
      "feedback",
      scope,
      async (memory) => {
        const { useful_memory_ids, new_memories, merge_groups } = parseInput(
          feedbackSchema,
          given,
          "feedback",
        );
        const { strengthened, remembered, merged } = await memory.feedback({
          useful: useful_memory_ids,
          new: new_memories?.map((one) => toJudged(one, false)),
          merge: merge_groups,
        });
        return itemsOf(memory, [...strengthened, ...remembered, ...merged.map(({ id }) => id)]);
      },
      (items) => items.length,
    );
  }

  async consolidateMemories(scope: string): Promise<void> {
    await this.#request(
      "consolidateMemories",
      scope,
      (memory) => memory.consolidate(),
      ({ retired, deleted }) => retired.length + deleted.length,
    );
  }

  getByIds(scope: string, ids: readonly string[]): Promise<readonly MemoryItem[]> {
    return this.#request(
      "getByIds",
      scope,
      async (memory) => itemsOf(memory, parseInput(idsSchema, ids, "list of ids")),
      (items) => items.length,
    );
  }

  async close(): Promise<void> {
    await this.#deps.memory.close();
  }

  #recall(
    operation: string,
    scope: string,
    query: string,
    run: (memory: Memory, query: string) => Promise<readonly Hit[]>,
  ): Promise<readonly RecalledMemory[]> {
    return this.#request(
      operation,
      scope,
      async (memory) => (await run(memory, parseInput(querySchema, query, "query"))).map(toRecalled),
      (found) => found.length,
    );
  }

  /** A scope that is none is refused and logged before anything else is looked at (S3-24). */
  async #request<T>(
    operation: string,
    scope: string,
    run: (memory: Memory) => Promise<T>,
    returned: (result: T) => number,
  ): Promise<T> {
    const { memory, meter, log } = this.#deps;
    try {
      parseScope(scope);
    } catch (error) {
      log(failLine(this.name, operation, error));
      throw error;
    }
    const of = { runtime: this.name, operation, scope };
    return meter.run(of, () => run(memory.in(scope)), returned);
  }
}

function lookOf({ limit, memory_types }: RecallRequest): Look {
  return { limit, filter: typeFilter(memory_types) };
}

async function itemsOf(memory: Memory, ids: readonly string[]): Promise<readonly MemoryItem[]> {
  const found = await Promise.all(
    ids.map((id) =>
      memory.get(id).catch((error: unknown) => {
        if (MemoryError.is(error) && error.code === "entry_not_found") return undefined;
        throw error;
      }),
    ),
  );
  return found.flatMap((entry) => (entry === undefined ? [] : [toItem(entry)]));
}

function notYet(why: string): MemoryError {
  return new MemoryError(
    "model_unavailable",
    `The memory is written down but not to be found yet: ${why}. It is taken up as soon as that is over; remembering it again makes no second one.`,
  );
}
