/** Gives drafts a number to be placed and compared by (S0-29): importance, emotion or heat. */
import { z } from "zod";
import { type Claims, defineAction, type PreInsertContext } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { scoreEmotion } from "../../tasks/score-emotion.ts";
import { scoreImportance } from "../../tasks/score-importance.ts";
import { EMOTION_FIELD, emotionOptions, feelDraft } from "./score/emotion.ts";
import { heatDraft, heatOptions } from "./score/heat.ts";
import { importanceOptions, scoreDraft } from "./score/importance.ts";

const options = z.discriminatedUnion("score_type", [importanceOptions, emotionOptions, heatOptions]);
type Options = z.infer<typeof options>;

export const score = defineAction({
  stage: "pre_insert",
  name: "score",
  summary: "Judges how much a memory matters, what it feels like, or how much went into it.",
  options,
  subtype: "score_type",
  shorthands: {
    importance: { score_type: "importance" },
    emotion: { score_type: "emotion" },
    heat: { score_type: "heat" },
  },
  claims: claimsOf,
  async run({ drafts }, context, given) {
    const out: Draft[] = [];
    for (const draft of drafts) out.push(await scored(draft, context, given));
    return out;
  },
});

function scored(draft: Draft, context: PreInsertContext, given: Options): Draft | Promise<Draft> {
  switch (given.score_type) {
    case "importance":
      return scoreDraft(draft, context, given);
    case "emotion":
      return feelDraft(draft, context, given);
    case "heat":
      return heatDraft(draft, given);
  }
}

function claimsOf(given: Options): Claims {
  switch (given.score_type) {
    case "importance": {
      const tiers = [given.high_tier, given.middle_tier].filter((tier) => tier !== null);
      return {
        insertMethods: ["priority_insert"],
        prompts: [{ task: scoreImportance, prompt: given.importance_prompt }],
        ...(tiers.length === 0 ? {} : { abilities: ["tiers"], tiers: [...new Set(tiers)] }),
      };
    }
    case "emotion":
      return {
        abilities: ["vector"],
        insertMethods: ["emotion_insert"],
        vectorFields: [EMOTION_FIELD],
        prompts: [{ task: scoreEmotion, prompt: given.emotion_prompt }],
      };
    case "heat":
      return {};
  }
}
