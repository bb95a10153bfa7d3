/**
 * The flagship's way of looking: what is near to the question and what holds its words are candidates; of each, all that
 * speaks for it is added up (src/policies/blend.ts). Who takes part in the talk is known from the candidates themselves:
 * names that stand before every turn say nothing about its meaning, so the question is embedded without them, too.
 */
import { z } from "zod";
import { where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import type { Vector } from "../../base/vector.ts";
import { blend as blendOf } from "../../math/blend.ts";
import { defineAction, type MemoryRetrievalContext } from "../../pipeline/action.ts";
import { type FoundList, type Question, type SubQuery, toFound } from "../../pipeline/question.ts";
import { blendWeights, spreadOut } from "../../policies/blend.ts";
import { confidenceOptions, type SaidTurn } from "../../policies/confidence.ts";
import { askedAbout, tellsOf, withoutNames } from "../../text/asked-about.ts";
import { asksForSeveral } from "../../text/asks-for-several.ts";
import { asksTheSame } from "../../text/asks-the-same.ts";
import { endsInQuestion } from "../../text/is-question.ts";
import { detectLanguage } from "../../text/language.ts";
import { type Confidence, confidenceOf, surest } from "./blend/confidence-of.ts";
import { participantsOf, sessionOf, speakerOf, whatWasSaid } from "./blend/said.ts";
import { type Scored, scoreCandidates } from "./blend/score-candidates.ts";

const options = z.strictObject({
  top_k: z.int().min(1).describe("How many hits to keep where the question does not say."),
  pool: z.int().min(1).describe("How many memories each of the two searches brings."),
  named_weight: z
    .number()
    .min(0)
    .max(10)
    .describe(
      "What the question as it was asked counts beside the one without names, when both are embedded.",
    ),
  unseen: z
    .number()
    .min(0)
    .max(1)
    .describe(
      "Who is in one list only is taken to stand below the other's last, by so much of the way from its first to its last.",
    ),
  weights: blendWeights.describe("What each sign is worth, in cosines of the built-in embedder."),
  confidence: confidenceOptions.describe("How sure to be that what was asked was found."),
  abstain_below: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("Less sure than this, the answer without a model is that it is not known; null: never."),
});
type Options = z.infer<typeof options>;

export const blend = defineAction({
  stage: "memory_retrieval",
  name: "blend",
  summary: "Adds up what speaks for a memory: nearness, words, speaker, kind of answer, company.",
  options,
  claims: () => ({
    abilities: ["vector", "text"],
    hints: [
      { strategy: "semantic", names: [] },
      { strategy: "lexical", names: [] },
    ],
    ignores: ["routes", "order"],
  }),
  async run(question, context, given) {
    const topK = question.topK ?? given.top_k;
    const searched = await Promise.all(
      question.queries.map((query) => search(query, question, Math.max(given.pool, topK), given, context)),
    );
    const best = new Map<string, Scored>();
    for (const { scored } of searched) {
      for (const one of scored) {
        if (one.blended.score > (best.get(one.hit.id)?.blended.score ?? Number.NEGATIVE_INFINITY))
          best.set(one.hit.id, one);
      }
    }
    const ranked = [...best.values()]
      .sort((a, b) => b.blended.score - a.blended.score || (a.hit.id < b.hit.id ? -1 : 1))
      .map((one) => ({ item: one, session: sessionOf(one.hit), score: one.blended.score }));
    const isList = asksForSeveral(question.text);
    const kept = spreadOut(ranked, isList ? given.weights.crowding : 0, topK);
    context.note("candidates", ranked.length);
    if (isList) context.note("asks_for", "several things");
    const hits = kept.map(({ item: { hit, blended }, score, crowded }) => {
      const parts = crowded === 0 ? blended.parts : { ...blended.parts, crowding: -crowded };
      return toFound({ ...hit, score, scoreParts: parts });
    });
    const lists = searched.flatMap((one) => one.lists);
    const sure = surest(searched.map((one) => one.sure));
    if (sure !== null) context.note("confidence", { ...sure.signs });
    const confidence = sure?.confidence ?? null;
    const { abstain_below: least } = given;
    const isDoubtful = least !== null && confidence !== null && confidence < least;
    return { question, lists, hits, confidence, isDoubtful, context: null, sections: {} };
  },
});

interface Searched {
  readonly lists: readonly FoundList[];
  readonly scored: readonly Scored[];
  readonly sure: Confidence | null;
}

async function search(
  query: SubQuery,
  { filter: asked }: Question,
  pool: number,
  { named_weight, unseen, weights, confidence }: Options,
  { store, embed, note }: MemoryRetrievalContext,
): Promise<Searched> {
  const wanted = [asked, query.filter].flatMap((one) => one ?? []);
  const filter = wanted.length === 0 ? undefined : where.and(...wanted);
  const byWords = await store.retrieve({
    text: query.text,
    topK: pool,
    filter,
    hints: { strategy: "lexical" },
  });
  // A name that is asked for stands before each of its turns, which its word finds.
  const named = participantsOf(byWords).map(({ name }) => name);
  const embedded = query.embedText ?? query.text;
  const bare = withoutNames(embedded, named);
  const vectors =
    bare === embedded
      ? query.vectors
      : blendQuestions(query.vectors, await embed(bare, undefined, spacesOf(query.vectors)), named_weight);
  const byMeaning =
    vectors.length === 0
      ? []
      : await store.retrieve({
          vectors,
          topK: pool,
          // A thousandth more or less decides nothing among all that is added up.
          rough: true,
          filter,
          hints: { strategy: "semantic" },
        });
  // "My cat" may share no word with anything: who takes part is then known from what is near alone.
  const people = participantsOf([...byWords, ...byMeaning]);
  const about = askedAbout(query.text, people);
  if (about.length > 0) note("about", [...about]);
  const asksAgain = [...byWords, ...byMeaning].filter((hit) => asksTheSame(whatWasSaid(hit), query.text));
  const repeats = new Set<string>(asksAgain.map(({ id }) => id));
  const scored = scoreCandidates(
    { text: query.text, about, people, byWords, byMeaning, repeats, pool, unseen },
    weights,
  );
  // How much better others' turns may fit was learnt from English talk; of Chinese no labelled talk tells it.
  const isNamed = about.length === 1 && bare !== embedded && detectLanguage(query.text) !== "zh";
  // That it was asked before says nothing about whether it can be answered.
  const tells = ({ id }: Hit): boolean => !repeats.has(id);
  const turns = isNamed ? scored.filter(({ hit }) => tells(hit)).map((one) => saidTurn(one, about)) : [];
  return {
    lists: [
      { query, hints: { strategy: "lexical" }, hits: byWords.map(toFound) },
      { query, hints: { strategy: "semantic" }, hits: byMeaning.map(toFound) },
    ],
    scored: query.weight === 1 ? scored : scored.map((one) => weighted(one, query.weight)),
    sure: confidenceOf(
      {
        text: query.text,
        vectors,
        byWords: byWords.filter(tells),
        byMeaning: byMeaning.filter(tells),
        turns,
      },
      confidence,
    ),
  };
}

/** What is found by another wording of the question may count less, in all its parts. */
function weighted({ hit, blended: { score: whole, parts } }: Scored, weight: number): Scored {
  const shares = Object.entries(parts).map(([name, part]) => [name, weight * part]);
  return { hit, blended: { score: weight * whole, parts: Object.fromEntries(shares) } };
}

/** How well it fits, whoever said it and whatever was said beside it. */
function saidTurn({ hit, blended: { score: whole, parts } }: Scored, about: readonly string[]): SaidTurn {
  return {
    fit: whole - (parts.speaker ?? 0) - (parts.company ?? 0) - (parts.bridge ?? 0),
    isByNamed: about.some((name) => speakerOf(hit) === name || tellsOf(whatWasSaid(hit), name)),
    isQuestion: endsInQuestion(whatWasSaid(hit)),
  };
}

function spacesOf(vectors: readonly Vector[]): readonly string[] {
  return vectors.map(({ space }) => space);
}

/** In the spaces that the question was embedded into. */
function blendQuestions(asked: readonly Vector[], bare: readonly Vector[], weight: number): Vector[] {
  return asked.map((vector) => {
    const other = bare.find(({ space }) => space === vector.space);
    if (other === undefined) return vector;
    const values = blendOf([
      { values: other.values, weight: 1 },
      { values: vector.values, weight },
    ]);
    return values === undefined ? vector : { space: vector.space, values };
  });
}
