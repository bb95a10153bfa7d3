/** Gives drafts a number to be placed and compared by (S0-29): importance, emotion, heat or energy. */
import { z } from "zod";
import { type Claims, defineAction, type PreInsertContext } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { scoreEmotion } from "../../tasks/score-emotion.ts";
import { scoreImportance } from "../../tasks/score-importance.ts";
import { EMOTION_FIELD, emotionOptions, feelDraft } from "./score/emotion.ts";
import { energise, energyOptions } from "./score/energy.ts";
import { heatDraft, heatOptions } from "./score/heat.ts";
import { importanceOptions, scoreDraft } from "./score/importance.ts";

const options = z.discriminatedUnion("score_type", [
  importanceOptions,
  emotionOptions,
  heatOptions,
  energyOptions,
]);
type Options = z.infer<typeof options>;

export const score = defineAction({
  stage: "pre_insert",
  name: "score",
  summary:
    "Judges how much a memory matters, what it feels like, how much went into it, or how alive it begins.",
  options,
  subtype: "score_type",
  shorthands: {
    importance: { score_type: "importance" },
    emotion: { score_type: "emotion" },
    heat: { score_type: "heat" },
    energy: { score_type: "energy" },
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
    case "energy":
      return energise(draft, context, given);
  }
}

function claimsOf(given: Options): Claims {
  switch (given.score_type) {
    case "importance": {
      return {
        insertMethods: ["priority_insert"],
        prompts: [{ task: scoreImportance, prompt: given.importance_prompt }],
        ...tierClaims([given.high_tier, given.middle_tier]),
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
    case "energy":
      return {
        prompts: given.ask_above === null ? [] : [{ task: scoreImportance, prompt: given.importance_prompt }],
        ...tierClaims([given.front_tier, given.rest_tier]),
      };
  }
}

function tierClaims(named: readonly (string | null)[]): Claims {
  const tiers = named.filter((tier) => tier !== null);
  return tiers.length === 0 ? {} : { abilities: ["tiers"], tiers: [...new Set(tiers)] };
}
