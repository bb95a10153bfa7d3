/**
 * Reflection (S0-35; Generative Agents, C-14: insight): when enough has happened, ask what it raises and write down what
 * follows, as entries that cite their evidence. Evidence may be public, insights belong to who reflected. The whole
 * scope is considered, whatever was just inserted.
 */
import { z } from "zod";
import type { Entry } from "../../base/entry.ts";
import { threeReasonsSchema } from "../../policies/three-reasons.ts";
import { reflectInsights } from "../../tasks/reflect-insights.ts";
import { reflectQuestions } from "../../tasks/reflect-questions.ts";
import { runTask } from "../../tasks/run-task.ts";
import { scoreImportance } from "../../tasks/score-importance.ts";
import type { ServiceInsert } from "../service.ts";
import { insertDerived, thinkingOf } from "./derived.ts";
import { allVitals, ownEntries, ownOfKind } from "./own-entries.ts";
import { dueShapes, tooEarly } from "./reflection/due.ts";
import { emptyMark, lastMark, markEmpty, markOf } from "./reflection/mark.ts";
import { isAbout, type Subject, subjectSchema } from "./reflection/subject.ts";
import { type Insight, think } from "./reflection/think.ts";
import { defineTrigger, report, type TriggerContext } from "./trigger.ts";

/** The kind of an insight. */
export const INSIGHT = "insight";

const shared = {
  about: subjectSchema.describe("Whom it is about: general, self or other, the last two with a name."),
  question_prompt: z.string().min(1).describe("Id of the prompt that asks what is worth asking."),
  prompt: z.string().min(1).describe("Id of the prompt that asks what follows from the evidence."),
  question_count: z.int().min(1).describe("How many questions are raised."),
  recent_count: z.int().min(1).describe("At most so many of the newest entries raise them."),
  evidence_by: threeReasonsSchema
    .nullable()
    .describe("How they are chosen: by recency, importance and relevance; null: as the service finds them."),
  evidence_count: z.int().min(1).describe("At most so many entries are looked at for each question."),
  max_reflections: z.int().min(1).describe("At most so many insights come of one reflection."),
  reflection_depth: z
    .int()
    .min(1)
    .nullable()
    .describe(
      "How deep insights may lie: 1, from what was observed alone; 2, from such insights as well; null: any.",
    ),
  store_reflection: z
    .boolean()
    .describe(
      "true: insights become entries; false: they are only reported, and the next run reflects anew.",
    ),
  importance: z
    .union([
      z.number().min(0).max(1),
      z.strictObject({
        importance_prompt: z
          .string()
          .min(1)
          .describe("Id of the prompt that asks how much an insight matters."),
      }),
    ])
    .describe("Importance of an insight, 0 to 1 (8 of 10 is 0.8), or who is asked for it."),
};

const options = z.discriminatedUnion("trigger_mode", [
  z.strictObject({ ...dueShapes.threshold, ...shared }),
  z.strictObject({ ...dueShapes.periodic, ...shared }),
  z.strictObject({ ...dueShapes.count, ...shared }),
  z.strictObject({ ...dueShapes.manual, ...shared }),
]);

export const reflection = defineTrigger({
  name: "reflection",
  summary: "Writes insights that follow from what has come since the last ones, each with its evidence.",
  options,
  prompts: ({ question_prompt, prompt, importance }) => [
    { task: reflectQuestions, prompt: question_prompt },
    { task: reflectInsights, prompt },
    ...(typeof importance === "number"
      ? []
      : [{ task: scoreImportance, prompt: importance.importance_prompt }]),
  ],
  async run(context, given) {
    const insights = await ownOfKind(context, INSIGHT);
    const told = lastMark(insights, given.about);
    const since = await allVitals(context, told?.upTo);
    const examined = since.length;
    const now = context.deps.clock.now();
    // Texts are read only if it were time with all of them: who is spoken of, the texts alone tell.
    const early = tooEarly(
      given,
      since.filter(({ kind }) => kind !== INSIGHT),
      told?.at,
      now,
    );
    if (early !== undefined) return report("reflection", { examined, reason: early });
    const entries = await ownEntries(context, undefined, told?.upTo);
    const mark = emptyMark(entries, given.about) ?? told;
    const fresh = entries.filter(
      (entry) =>
        entry.kind !== INSIGHT && (mark === undefined || entry.id > mark.upTo) && isAbout(given.about, entry),
    );
    const last = entries.at(-1);
    const stillEarly = tooEarly(given, fresh, mark?.at, now);
    if (stillEarly !== undefined || last === undefined)
      return report("reflection", { examined, reason: stillEarly });
    const found = await think(context, fresh, given, new Set(insights.map(({ content }) => content)));
    if (found.length === 0) {
      if (given.store_reflection) await markEmpty(context, last, given.about, now);
      return report("reflection", { examined, reason: "Nothing follows from what is new." });
    }
    if (!given.store_reflection)
      return report("reflection", { examined, unstored: found.map(({ content }) => content) });
    const drafts: ServiceInsert[] = [];
    for (const insight of found)
      drafts.push(
        draftOf(insight, last, given.about, await importanceOf(context, insight, given.importance)),
      );
    return report("reflection", { examined, added: await insertDerived(context, drafts) });
  },
});

/** The task's own scale. */
const SCALE = 10;

async function importanceOf(
  context: TriggerContext,
  { content }: Insight,
  given: z.infer<typeof shared.importance>,
): Promise<number> {
  if (typeof given === "number") return given;
  const task = { ...scoreImportance, prompt: given.importance_prompt };
  return (await runTask(task, { text: content }, thinkingOf(context))).reply.importance / SCALE;
}

/** An insight is about the time of its evidence, whenever it was thought. */
function draftOf(
  { content, question, evidence, depth }: Insight,
  last: Entry,
  about: Subject,
  importance: number,
): ServiceInsert {
  const times = (evidence.length > 0 ? evidence : [last]).map(({ happenedAt }) => happenedAt);
  return {
    kind: INSIGHT,
    content,
    sources: evidence.map(({ id }) => id),
    importance,
    happenedAt: Math.max(...times),
    metadata: { depth, question, ...markOf(about, last.id) },
  };
}
