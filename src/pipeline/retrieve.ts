/** A question on its way to the store and back: through pre_retrieval without the store, then hits through post_retrieval. */
import { CONTENT } from "../services/vector-fields.ts";
import type { MemoryRetrievalContext } from "./action.ts";
import { readHandle, refusing } from "./handles.ts";
import type { PipelineDeps, PipelinePlan, RetrieveResult } from "./plan.ts";
import { type Found, makeQuestion, type NewQuestion, type Question, UNJUDGED } from "./question.ts";
import { effectsOf } from "./record.ts";
import { fitRoom } from "./room.ts";
import { embedQuestion, type RunOptions, rankTexts } from "./stage-context.ts";
import { createLog, type StageLog } from "./stage-log.ts";

type Embed = MemoryRetrievalContext["embed"];

export async function retrieve(
  plan: PipelinePlan,
  deps: PipelineDeps,
  given: NewQuestion,
  options: RunOptions,
): Promise<RetrieveResult> {
  // A question is answered, however well: whoever asks is waiting.
  const answering = { ...deps, thinking: { ...deps.thinking, onModelDown: "fallback" as const } };
  const log = createLog(answering, plan.service, options);
  const embed: Embed = (text, field = CONTENT, spaces) =>
    embedQuestion(deps, text, { field, spaces }, options);
  const question = await prepare(plan, makeQuestion(given, options.now), log, embed);
  // Where nothing is to be looked for, no stage after this one may look either (B.0.9, 2).
  if (question.skip !== null)
    return { question, lists: [], hits: [], ...UNJUDGED, context: null, sections: {}, stages: log.records };
  let found = await look(plan, question, log, embed);

  const rank = (query: string, texts: readonly string[]) => rankTexts(deps, query, texts, options);
  for (const action of plan.stages.post_retrieval) {
    const before = found;
    found = await log.run(action, before.hits.length, {
      async call(context, run) {
        const given = { ...context, store: readHandle(run), rank };
        const done = await action.run(before, given);
        if (done.context === null || done.context === before.context) return done;
        // The text is written of what there is room for, and of nothing that is not handed out.
        const fitting = fitRoom(before, question.room);
        return fitting === before ? done : action.run(fitting, given);
      },
      count: ({ hits }) => hits.length,
      effects: ({ hits }) => effectsOf(before.hits, hits),
    });
  }
  found = fitRoom(found, question.room);
  const { hits } = found;
  await log.run({ stage: "post_retrieval", name: "(counting looks)" }, hits.length, {
    call: () => plan.service.touch(options.scope, hits),
    count: () => hits.length,
  });
  return { ...found, stages: log.records };
}

async function prepare(
  { stages }: PipelinePlan,
  asked: Question,
  log: StageLog,
  embed: Embed,
): Promise<Question> {
  let question = asked;
  for (const action of stages.pre_retrieval) {
    // Nothing will be looked for: nothing more needs to be known about it.
    if (question.skip !== null) break;
    const given = question;
    const more = { embed, store: refusing("pre_retrieval") };
    question = await log.run(action, given.queries.length, {
      call: (context) => action.run(given, { ...context, ...more }),
      count: ({ queries }) => queries.length,
    });
  }
  return question;
}

async function look(
  { stages }: PipelinePlan,
  question: Question,
  log: StageLog,
  embed: Embed,
): Promise<Found> {
  const action = stages.memory_retrieval;
  return log.run(action, question.queries.length, {
    call: (context, run) => action.run(question, { ...context, store: readHandle(run), embed }),
    count: ({ hits }) => hits.length,
    effects: ({ hits }) => effectsOf([], hits),
  });
}
