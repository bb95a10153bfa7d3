/** All that speaks for each of the memories that two searches brought, added up. */
import type { Hit } from "../../../base/hit.ts";
import { type Blended, type BlendWeights, blendScores, type Signs } from "../../../policies/blend.ts";
import { bridgeBonus } from "../../../policies/bridge.ts";
import { type AnswerKind, askedKind, holdsKind } from "../../../text/answer-kind.ts";
import type { Participant } from "../../../text/asked-about.ts";
import { asksForSeveral } from "../../../text/asks-for-several.ts";
import { endsInQuestion } from "../../../text/is-question.ts";
import { sessionOf, speakerOf, whatWasSaid } from "./said.ts";

export interface Scored {
  readonly hit: Hit;
  readonly blended: Blended;
}

export interface Candidates {
  readonly text: string;
  readonly about: readonly string[];
  readonly people: readonly Participant[];
  readonly byWords: readonly Hit[];
  readonly byMeaning: readonly Hit[];
  /** Those that only ask what is asked. */
  readonly repeats: ReadonlySet<string>;
  readonly pool: number;
  readonly unseen: number;
}

/** In no order. */
export function scoreCandidates(
  { text, about, people, byWords, byMeaning, repeats, pool, unseen }: Candidates,
  weights: BlendWeights,
): Scored[] {
  const hits = [...new Map([...byWords, ...byMeaning].map((hit) => [hit.id, hit])).values()];
  const words = new Map(byWords.map(({ id, score: found }) => [id, found]));
  const nearness = new Map(byMeaning.map(({ id, score: found }) => [id, found]));
  const leastWords = byWords.length < pool ? 0 : Math.max(0, below(byWords, unseen));
  const leastNearness = below(byMeaning, unseen);
  const mostWords = byWords[0]?.score ?? 0;
  // Between people, who ends in a question asks; an assistant is asked by nearly every turn, and told much on the way.
  const isAmongPeople = people.every(({ role }) => role !== "assistant");
  const kind = wantedKind(text);
  const names = people.map(({ name }) => name);
  const said = hits.map(whatWasSaid);
  const signs = hits.map((hit, place): Signs => {
    const own = said[place] ?? "";
    return {
      nearness: nearness.get(hit.id) ?? leastNearness,
      words: mostWords === 0 ? 0 : (words.get(hit.id) ?? leastWords) / mostWords,
      isBySpeaker: about.length === 1 && about.includes(speakerOf(hit)),
      holdsKind: kind !== null && holdsKind(own, kind, names),
      isQuestion: isAmongPeople && endsInQuestion(own),
      isRepeat: repeats.has(hit.id),
      session: sessionOf(hit),
    };
  });
  const blended = blendScores(signs, weights);
  const texts = blended.map(({ score }, place) => ({ text: said[place] ?? "", score }));
  const bridges = bridgeBonus(text, texts, { weight: weights.bridge, ignored: names });
  return hits.flatMap((hit, place) => {
    const one = blended[place];
    if (one === undefined) return [];
    const bridge = bridges[place] ?? 0;
    return [{ hit, blended: { score: one.score + bridge, parts: { ...one.parts, bridge } } }];
  });
}

/** What somebody would score who is not in a list that has no room for more. */
function below(list: readonly Hit[], unseen: number): number {
  const [first = 0, last = 0] = [list[0]?.score, list.at(-1)?.score];
  return last - unseen * (first - last);
}

/** How often something happened is told once for every time, and seldom with a number. */
function wantedKind(question: string): AnswerKind | null {
  const kind = askedKind(question);
  return kind === "number" && asksForSeveral(question) ? null : kind;
}
