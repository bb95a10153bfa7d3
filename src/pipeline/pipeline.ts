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
import { insert } from "./insert.ts";
import type { InsertResult, PipelineDeps, PipelinePlan, RetrieveResult } from "./plan.ts";
import { type NewQuestion, questionSchema } from "./question.ts";
import { retrieve } from "./retrieve.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface InsertOptions extends CallOptions {
  /** What was said before the turns, oldest first: to be understood by, not to be remembered. @default none */
  readonly before?: readonly Turn[] | undefined;
}

export interface Pipeline {
  readonly service: MemoryService;
  /** What was said, journalled already, becomes memories. */
  insert(scope: Scope, turns: readonly Turn[], options?: InsertOptions): Promise<InsertResult>;
  retrieve(scope: Scope, question: NewQuestion, options?: CallOptions): Promise<RetrieveResult>;
}

export function createPipeline(plan: PipelinePlan, deps: PipelineDeps): Pipeline {
  const inTurn = createScopeQueues();
  return {
    service: plan.service,
    async insert(scope, turns, { signal, before = [] } = {}) {
      checkJournalled(turns);
      checkJournalled(before);
      const said = { turns, before };
      return inTurn(scope, () => insert(plan, deps, said, { scope, now: deps.clock.now(), signal }));
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
