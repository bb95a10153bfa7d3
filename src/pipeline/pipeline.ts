/**
 * In which order, allowed to do what? Drafts through three stages into the service, a question through three stages and
 * back with hits. The runner knows no action by name; it hands each what its stage may have, and writes down what
 * happened. Inserts of one scope wait for each other: what one stores or retires, the next must see.
 */
import { MemoryError } from "../base/errors.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import { createScopeQueues } from "../services/scope-queues.ts";
import type { MemoryService } from "../services/service.ts";
import { heardTurns } from "./heard-turns.ts";
import { insert, upkeep } from "./insert.ts";
import type { InsertResult, PipelineDeps, PipelinePlan, RetrieveResult } from "./plan.ts";
import { type NewQuestion, questionSchema } from "./question.ts";
import type { StageRecord } from "./record.ts";
import { retrieve } from "./retrieve.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface InsertOptions extends CallOptions {
  /** What was said before the turns, oldest first: to be understood by, not to be remembered. @default none */
  readonly before?: readonly Turn[] | undefined;
}

export interface UpkeepOptions extends CallOptions {
  /** Only these actions of post_insert. @default all */
  readonly only?: readonly string[] | undefined;
}

export interface Pipeline {
  readonly service: MemoryService;
  /** What was said, journalled already, becomes memories. */
  insert(scope: Scope, turns: readonly Turn[], options?: InsertOptions): Promise<InsertResult>;
  /** What the design does now and then, now: post_insert with nothing new. */
  upkeep(scope: Scope, options?: UpkeepOptions): Promise<readonly StageRecord[]>;
  retrieve(scope: Scope, question: NewQuestion, options?: CallOptions): Promise<RetrieveResult>;
}

export function createPipeline(plan: PipelinePlan, deps: PipelineDeps): Pipeline {
  const inTurn = createScopeQueues();
  return {
    service: plan.service,
    async insert(scope, turns, { signal, before = [] } = {}) {
      checkJournalled(turns);
      checkJournalled(before);
      const said = { turns: heardTurns(turns), before: heardTurns(before) };
      // What only repeats what was recalled is in the journal, and no design needs to see it.
      if (said.turns.length === 0 && turns.length > 0) return { inserted: [], stages: [] };
      return inTurn(scope, () => insert(plan, deps, said, { scope, now: deps.clock.now(), signal }));
    },
    async upkeep(scope, { signal, only } = {}) {
      return inTurn(scope, () => upkeep(plan, deps, { scope, now: deps.clock.now(), signal }, only));
    },
    async retrieve(scope, question, { signal } = {}) {
      const asked = parseInput(questionSchema, question, "question");
      return retrieve(plan, deps, asked, { scope, now: deps.clock.now(), signal });
    },
  };
}

/** What was said is in the journal before anything else happens to it: only then has it an id to be cited by. */
function checkJournalled(turns: readonly Turn[]): void {
  const isTurn = (turn: unknown): boolean =>
    typeof turn === "object" && turn !== null && "id" in turn && "seq" in turn && "captions" in turn;
  if (Array.isArray(turns) && turns.every(isTurn)) return;
  throw new MemoryError(
    "input_invalid",
    "The turns are not in the journal yet. Valid: what appendTurns(storage, scope, turns) gives.",
  );
}
