/**
 * In which order, allowed to do what? The runner: drafts through three stages into the service, a question through three
 * stages and back with hits. It knows no action by name; it hands each what its stage may have, and writes down what
 * happened.
 */
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import type { MemoryService } from "../services/service.ts";
import { CONTENT } from "../services/vector-fields.ts";
import type { BoundAction, Inserted } from "./action.ts";
import { type Draft, draftsOf, type InputOptions } from "./draft.ts";
import { embedDrafts } from "./embed-drafts.ts";
import { insertHandle, postInsertHandle, readHandle, refusing } from "./handles.ts";
import { type Found, makeQuestion, type NewQuestion } from "./question.ts";
import { effectsOf, type StageRecord } from "./record.ts";
import type { Stage } from "./stage.ts";
import { embedQuestion, embedTexts, type RunOptions, rankTexts, type ThinkingDeps } from "./stage-context.ts";
import { createLog } from "./stage-log.ts";

/** A preset, opened: the service and what runs in each stage. */
export interface PipelinePlan {
  readonly service: MemoryService;
  readonly input: InputOptions;
  readonly stages: { readonly [S in Stage]: readonly BoundAction<S>[] };
}

export interface PipelineDeps extends ThinkingDeps {
  readonly clock: { now(): number };
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface InsertResult {
  readonly inserted: readonly Inserted[];
  readonly stages: readonly StageRecord[];
}

export interface RetrieveResult extends Found {
  readonly stages: readonly StageRecord[];
}

export interface Pipeline {
  readonly service: MemoryService;
  /** What was said, journalled already, becomes memories. */
  insert(scope: Scope, turns: readonly Turn[], options?: CallOptions): Promise<InsertResult>;
  retrieve(scope: Scope, question: NewQuestion, options?: CallOptions): Promise<RetrieveResult>;
}

export function createPipeline(plan: PipelinePlan, deps: PipelineDeps): Pipeline {
  return {
    service: plan.service,
    insert: (scope, turns, { signal } = {}) =>
      insert(plan, deps, turns, { scope, now: deps.clock.now(), signal }),
    retrieve: (scope, question, { signal } = {}) =>
      retrieve(plan, deps, question, { scope, now: deps.clock.now(), signal }),
  };
}

async function insert(
  { service, input, stages }: PipelinePlan,
  deps: PipelineDeps,
  turns: readonly Turn[],
  options: RunOptions,
): Promise<InsertResult> {
  const log = createLog(deps, options);
  const embed = (texts: readonly string[], field = CONTENT) => embedTexts(deps, texts, field, options);
  let drafts: readonly Draft[] = draftsOf(turns, input);
  for (const action of stages.pre_insert) {
    const given = drafts;
    const store = readHandle("pre_insert", service, options.scope);
    drafts = await log.run(action, given.length, {
      call: (context) => action.run({ drafts: given, turns }, { ...context, store, embed }),
      count: (result) => result.length,
    });
  }
  drafts = await embedDrafts(drafts, service, embed);

  const inserted: Inserted[] = [];
  for (const draft of drafts) {
    const action = stages.memory_insert.find(({ name }) => name === draft.insertMethod);
    if (action === undefined) throw methodMissing(draft.insertMethod, stages.memory_insert);
    const store = insertHandle(service, options.scope);
    const id = await log.run(action, 1, {
      call: (context) => action.run(draft, { ...context, store }),
      count: () => 1,
    });
    inserted.push({ id, draft });
  }

  const ids = inserted.map(({ id }) => id);
  const round = postInsertHandle(service, options.scope, ids);
  for (const action of stages.post_insert) {
    await log.run(action, ids.length, {
      call: (context) => action.run({ inserted, turns }, { ...context, embed, store: round.handle }),
      count: () => ids.length,
    });
  }
  await round.finish();
  return { inserted, stages: log.records };
}

async function retrieve(
  { service, stages }: PipelinePlan,
  deps: PipelineDeps,
  given: NewQuestion,
  options: RunOptions,
): Promise<RetrieveResult> {
  const log = createLog(deps, options);
  const embed = (text: string, field = CONTENT) => embedQuestion(deps, text, field, options);
  let question = makeQuestion(given, options.now);
  for (const action of stages.pre_retrieval) {
    // Nothing will be looked for: nothing more needs to be known about it.
    if (question.skip !== null) break;
    const asked = question;
    const context = { embed, store: refusing("pre_retrieval") };
    question = await log.run(action, asked.queries.length, {
      call: (base) => action.run(asked, { ...base, ...context }),
      count: ({ queries }) => queries.length,
    });
  }

  let found: Found = { question, lists: [], hits: [], context: null, sections: {} };
  for (const action of question.skip === null ? stages.memory_retrieval : []) {
    const before = found;
    const store = readHandle("memory_retrieval", service, options.scope);
    found = await log.run(action, question.queries.length, {
      call: (context) => action.run(question, { ...context, store, embed }),
      count: ({ hits }) => hits.length,
      effects: ({ hits }) => effectsOf(before.hits, hits),
    });
  }
  for (const action of stages.post_retrieval) {
    const before = found;
    const store = readHandle("post_retrieval", service, options.scope);
    const rank = (query: string, texts: readonly string[]) => rankTexts(deps, query, texts, options);
    found = await log.run(action, before.hits.length, {
      call: (context) => action.run(before, { ...context, store, rank }),
      count: ({ hits }) => hits.length,
      effects: ({ hits }) => effectsOf(before.hits, hits),
    });
  }
  await service.touch(options.scope, found.hits);
  return { ...found, stages: log.records };
}

function methodMissing(method: string, methods: readonly BoundAction[]): MemoryError {
  const names = methods.map(({ name }) => name);
  return new MemoryError(
    "preset_invalid",
    `A draft wants to be stored by "${method}", which the stage memory_insert does not have. ${validNames(method, names)}`,
  );
}
