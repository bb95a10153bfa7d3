/**
 * What was said becomes memories: drafts through pre_insert, each stored by the action its insert method names, then
 * post_insert over all of them. Each draft is stored by itself: if one fails, those before it stay, and the error says
 * which (`details.stored`). An embedder that fails fails the call before anything is stored; what was said is in the
 * journal, so the call can be made again.
 */
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import type { Turn } from "../base/turn.ts";
import { CONTENT } from "../services/vector-fields.ts";
import type { BoundAction, Inserted, StageData } from "./action.ts";
import { type Draft, draftsOf } from "./draft.ts";
import { embedDrafts } from "./embed-drafts.ts";
import { insertHandle, readHandle } from "./handles.ts";
import type { InsertResult, PipelineDeps, PipelinePlan } from "./plan.ts";
import type { StageRecord } from "./record.ts";
import { createRounds } from "./rounds.ts";
import { embedTexts, type RunOptions } from "./stage-context.ts";
import { createLog, type StageLog } from "./stage-log.ts";

/** What is read, and what was said before it. */
export interface Said {
  readonly turns: readonly Turn[];
  readonly before: readonly Turn[];
}

type Embed = (texts: readonly string[], field?: string) => ReturnType<typeof embedTexts>;

export async function insert(
  plan: PipelinePlan,
  deps: PipelineDeps,
  said: Said,
  options: RunOptions,
): Promise<InsertResult> {
  const log = createLog(deps, plan.service, options);
  const embed: Embed = (texts, field = CONTENT) => embedTexts(deps, texts, field, options);
  const drafts = await prepare(plan, said, log, embed);
  const inserted: Inserted[] = [];
  try {
    for (const draft of drafts) inserted.push(await store(plan, draft, log));
    await settle(plan, { inserted, turns: said.turns }, log, embed);
  } catch (error) {
    throw withStored(error, inserted);
  }
  return { inserted, stages: log.records };
}

/** What the design does now and then to keep itself in order, done now. */
export async function upkeep(
  plan: PipelinePlan,
  deps: PipelineDeps,
  options: RunOptions,
  only?: readonly string[],
): Promise<readonly StageRecord[]> {
  const log = createLog(deps, plan.service, options);
  const embed: Embed = (texts, field = CONTENT) => embedTexts(deps, texts, field, options);
  const { post_insert } = plan.stages;
  const wanted = only === undefined ? post_insert : post_insert.filter(({ name }) => only.includes(name));
  const narrowed = { ...plan, stages: { ...plan.stages, post_insert: wanted } };
  await settle(narrowed, { inserted: [], turns: [], upkeep: true }, log, embed);
  return log.records;
}

async function prepare(
  { service, input, stages }: PipelinePlan,
  said: Said,
  log: StageLog,
  embed: Embed,
): Promise<readonly Draft[]> {
  let drafts: readonly Draft[] = draftsOf(said.turns, input);
  for (const action of stages.pre_insert) {
    const kept = action.claims.rewrites === true ? drafts.filter(({ judged }) => judged === true) : [];
    const given = drafts.filter((draft) => !kept.includes(draft));
    if (given.length === 0 && kept.length > 0) continue;
    const made = await log.run(action, given.length, {
      call: (context, run) =>
        action.run({ drafts: given, ...said }, { ...context, store: readHandle(run), embed }),
      count: (result) => result.length,
    });
    drafts = [...kept, ...made];
  }
  const ready = inJudgedTier(drafts, stages.post_insert);
  return log.run({ stage: "pre_insert", name: "(embedding)" }, ready.length, {
    call: () => embedDrafts(ready, service, embed),
    count: (result) => result.length,
  });
}

/** Where what is stored first is rewritten later, what somebody worded goes where that has been done. */
function inJudgedTier(
  drafts: readonly Draft[],
  actions: PipelinePlan["stages"]["post_insert"],
): readonly Draft[] {
  const targetTier = actions.find(({ claims }) => claims.judgedTier !== undefined)?.claims.judgedTier;
  if (targetTier === undefined) return drafts;
  return drafts.map((draft) =>
    draft.judged === true
      ? { ...draft, insertMode: "active", insertParams: { ...draft.insertParams, targetTier } }
      : draft,
  );
}

async function store({ stages }: PipelinePlan, draft: Draft, log: StageLog): Promise<Inserted> {
  const action = stages.memory_insert.find(({ name }) => name === draft.insertMethod);
  if (action === undefined) throw methodMissing(draft.insertMethod, stages.memory_insert);
  const stored = await log.run(action, 1, {
    async call(context, run) {
      const { handle, stored: told } = insertHandle(run);
      await action.run(draft, { ...context, store: handle });
      return told();
    },
    count: () => 1,
  });
  return { ...stored, draft };
}

async function settle(
  { stages }: PipelinePlan,
  given: StageData["post_insert"]["given"],
  log: StageLog,
  embed: Embed,
): Promise<void> {
  const rounds = createRounds(given.inserted.map(({ id }) => id));
  for (const action of stages.post_insert) {
    await log.run(action, given.inserted.length, {
      async call(context, run) {
        const { handle, finish } = rounds.open(run);
        await action.run(given, { ...context, embed, store: handle });
        // Which entries came and went is part of what the action did, whatever it noted itself.
        for (const [change, ids] of Object.entries(await finish()))
          if (ids.length > 0) context.note(change, ids);
      },
      count: () => given.inserted.length,
    });
  }
}

function withStored(error: unknown, inserted: readonly Inserted[]): unknown {
  if (!MemoryError.is(error) || inserted.length === 0) return error;
  const stored = inserted.map(({ id }) => id);
  return new MemoryError(error.code, error.message, { cause: error, details: { ...error.details, stored } });
}

function methodMissing(method: string, methods: readonly BoundAction[]): MemoryError {
  const names = methods.map(({ name }) => name);
  return new MemoryError(
    "preset_invalid",
    `A draft wants to be stored by "${method}", which the stage memory_insert does not have. ${validNames(method, names)}`,
  );
}
