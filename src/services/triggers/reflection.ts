/**
 * Reflection (S0-35; Generative Agents, C-14: insight): when enough has happened, ask what it raises and write down what
 * follows, as entries that cite their evidence. Evidence may be public, insights belong to who reflected. The whole
 * scope is considered, whatever was just inserted.
 */
import { z } from "zod";
import { reflectInsights } from "../../tasks/reflect-insights.ts";
import { reflectQuestions } from "../../tasks/reflect-questions.ts";
import { insertDerived } from "./derived.ts";
import { ownEntries, ownOfKind } from "./own-entries.ts";
import { dueShapes, tooEarly } from "./reflection/due.ts";
import { isAbout, subjectSchema } from "./reflection/subject.ts";
import { think } from "./reflection/think.ts";
import { defineTrigger, report } from "./trigger.ts";

/** The kind of an insight. */
export const INSIGHT = "insight";

const shared = {
  about: subjectSchema.describe("Whom it is about: general, self or other, the last two with a name."),
  question_prompt: z.string().min(1).describe("Id of the prompt that asks what is worth asking."),
  prompt: z.string().min(1).describe("Id of the prompt that asks what follows from the evidence."),
  question_count: z.int().min(1).describe("How many questions are raised."),
  recent_count: z.int().min(1).describe("At most so many of the newest entries raise them."),
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
  importance: z.number().min(0).max(1).describe("Importance of an insight, 0 to 1 (8 of 10 is 0.8)."),
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
  prompts: ({ question_prompt, prompt }) => [
    { task: reflectQuestions, prompt: question_prompt },
    { task: reflectInsights, prompt },
  ],
  async run(context, given) {
    const insights = await ownOfKind(context, INSIGHT);
    const last = insights.at(-1);
    const since = await ownEntries(context, undefined, last?.id);
    const fresh = since.filter((entry) => entry.kind !== INSIGHT && isAbout(given.about, entry));
    const examined = since.length;
    const early = tooEarly(given, fresh, last, context.deps.clock.now());
    if (early !== undefined) return report("reflection", { examined, reason: early });
    const found = await think(context, fresh, given, new Set(insights.map(({ content }) => content)));
    if (found.length === 0)
      return report("reflection", { examined, reason: "Nothing follows from what is new." });
    if (!given.store_reflection) {
      return report("reflection", { examined, unstored: found.map(({ content }) => content) });
    }
    const added = await insertDerived(
      context,
      found.map(({ content, question, evidence, depth }) => ({
        kind: INSIGHT,
        content,
        sources: evidence.map(({ id }) => id),
        importance: given.importance,
        metadata: { depth, question, about: given.about.type },
      })),
    );
    return report("reflection", { examined, added });
  },
});
