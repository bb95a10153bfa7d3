/**
 * A turn is often found by one of its sentences, or by what it answers. Its one vector is made of all three: the whole, the
 * mean of its sentences, and a little of the turn before. A text that nobody said is about one thing: its whole stands for its
 * sentences. What somebody judged stands for itself and is embedded as worded.
 */
import { z } from "zod";
import type { TurnId } from "../../base/ids.ts";
import type { Turn } from "../../base/turn.ts";
import { defineAction } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { isJudged } from "../../pipeline/judgment.ts";
import { blendVectors } from "./blend-embed/blend-vectors.ts";

const options = z.strictObject({
  sentence_weight: z
    .number()
    .min(0)
    .describe(
      "What the mean of the sentences counts beside the whole, which counts 1; 0: nothing. Of a text without a speaker the whole counts for them.",
    ),
  before_weight: z
    .number()
    .min(0)
    .describe(
      "What the turn just before it in the same session counts; 0: nothing. Else the preset's window shows a turn before: input.window.context of 1 or more.",
    ),
  max_sentences: z
    .int()
    .min(1)
    .describe(
      "What has more sentences is embedded whole, as are what has only one and what nobody said: the whole counts for them.",
    ),
  min_words: z
    .int()
    .min(1)
    .describe(
      "A sentence of fewer words, English or Chinese, is not embedded by itself; what pictures show always is.",
    ),
});

export const blendEmbed = defineAction({
  stage: "pre_insert",
  name: "blend_embed",
  summary: "Embeds a turn as a blend of the whole, its sentences and the turn before it.",
  options,
  claims: ({ before_weight }) => ({
    abilities: ["vector"],
    ...(before_weight > 0 ? { turnsBefore: 1 } : {}),
  }),
  async run({ drafts, turns, before }, context, given) {
    const previous = previousOf([...before, ...turns]);
    const wanted = drafts.filter(isBlended).map((draft) => {
      const [first] = draft.turns;
      return { draft, before: first === undefined ? undefined : previous.get(first.id) };
    });
    const embed = (texts: readonly string[]) => {
      context.note("blended_texts", texts.length);
      return context.embed(texts);
    };
    const made = await blendVectors(wanted, embed, given);
    const vectorOf = new Map(wanted.map(({ draft }, place) => [draft, made[place]]));
    return drafts.map((draft) => {
      const vector = vectorOf.get(draft);
      if (vector === undefined) return draft;
      return { ...draft, vectors: [...draft.vectors.filter(({ space }) => space.includes("#")), vector] };
    });
  },
});

/** What joins no index needs no vector. */
function isBlended({ judged, insertParams }: Draft): boolean {
  return judged !== true && insertParams.targetIndexes?.length !== 0;
}

/** By turn: the one said just before it, if it is of the same session. */
function previousOf(turns: readonly Turn[]): ReadonlyMap<TurnId, Turn> {
  const said = turns.filter((turn) => !isJudged(turn));
  return new Map(
    said.flatMap((turn, place): [TurnId, Turn][] => {
      const before = said[place - 1];
      return before?.session === turn.session ? [[turn.id, before]] : [];
    }),
  );
}
