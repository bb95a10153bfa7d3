/**
 * One score of everything that speaks for a memory, as a sum whose parts can be read (the flagship's own; docs/flagship.md).
 * The unit is a cosine of the built-in embedder; another one's, that lie closer together or further apart, want another
 * weight of nearness.
 *
 *     alone   = nearness · cosine + words · (BM25 / the best BM25) + speaker · [said by whom the question is about]
 *               + kind · [holds what is asked for: a name, a time, a number] − question · [asks, and does not tell]
 *     score   = alone + company · (the best `alone` of its session) − repeat · [only asks the same as the question]
 *
 * Who asked before was answered next to it, if at all: the session keeps what the asking brought it, the asking itself goes.
 *
 * To this the bridge is added (bridge.ts), which looks at what the best of these scores says.
 *
 * Where a question asks for several things, each is likely to have been said at another time: a memory then loses `crowding`
 * for every better one of the same session.
 */
import { z } from "zod";

const weight = z.number().min(0).max(10);

export const blendWeights = z.strictObject({
  nearness: weight.describe("What a cosine counts; 1 for the built-in embedder."),
  words: weight.describe("What the words of the question, heard in a memory and around it, count at most."),
  speaker: weight.describe("What it counts to be said by whom the question is about."),
  kind: weight.describe(
    "What it counts to hold the kind of thing that is asked for: a name, a time, a number.",
  ),
  question: weight.describe("What a memory loses that itself ends in a question."),
  repeat: weight.describe(
    "What a memory loses that only asks the same: whoever asks again knows the question.",
  ),
  company: weight.describe("What part of the best score of its session a memory gets."),
  bridge: weight.describe(
    "What a name can bring that the best memory holds and the question does not: to a memory that alone holds it, too.",
  ),
  crowding: weight.describe(
    "What a memory loses for every better one of its session, where the question asks for several things.",
  ),
});
export type BlendWeights = Readonly<z.infer<typeof blendWeights>>;

/** What is known of one memory. */
export interface Signs {
  /** Cosine with the question. */
  readonly nearness: number;
  /** Of the best BM25 score, 0 to 1. */
  readonly words: number;
  readonly isBySpeaker: boolean;
  readonly holdsKind: boolean;
  readonly isQuestion: boolean;
  /** It only asks what is asked. */
  readonly isRepeat: boolean;
  /** null: it stands alone. */
  readonly session: string | null;
}

export interface Blended {
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** In the order given. */
export function blendScores(signs: readonly Signs[], weights: BlendWeights): Blended[] {
  const alone = signs.map((one) => partsOf(one, weights));
  const sums = alone.map((parts) => Object.values(parts).reduce((sum, part) => sum + part, 0));
  const best = new Map<string, number>();
  signs.forEach(({ session }, place) => {
    if (session === null) return;
    best.set(session, Math.max(sums[place] ?? 0, best.get(session) ?? Number.NEGATIVE_INFINITY));
  });
  return signs.map(({ session, isRepeat }, place) => {
    const own = sums[place] ?? 0;
    // What stands alone is its own best company: it must not lose to others for want of neighbours.
    const company = weights.company * (session === null ? own : (best.get(session) ?? own));
    const repeat = isRepeat ? -weights.repeat : 0;
    return { score: own + company + repeat, parts: { ...alone[place], company, repeat } };
  });
}

function partsOf(signs: Signs, weights: BlendWeights): Record<string, number> {
  return {
    nearness: weights.nearness * signs.nearness,
    words: weights.words * signs.words,
    speaker: signs.isBySpeaker ? weights.speaker : 0,
    kind: signs.holdsKind ? weights.kind : 0,
    question: signs.isQuestion ? -weights.question : 0,
  };
}

export interface Placed<T> {
  readonly item: T;
  readonly session: string | null;
  readonly score: number;
}

/** The first `count` by score less `crowding` for every one of the same session that was taken before. */
export function spreadOut<T>(
  ranked: readonly Placed<T>[],
  crowding: number,
  count: number,
): (Placed<T> & { readonly crowded: number })[] {
  const left = [...ranked];
  const taken: (Placed<T> & { readonly crowded: number })[] = [];
  const seen = new Map<string, number>();
  const lossOf = ({ session }: Placed<T>): number =>
    session === null ? 0 : crowding * (seen.get(session) ?? 0);
  while (left.length > 0 && taken.length < count) {
    let place = 0;
    let most = Number.NEGATIVE_INFINITY;
    left.forEach((one, at) => {
      const score = one.score - lossOf(one);
      if (score <= most) return;
      most = score;
      place = at;
    });
    const [one] = left.splice(place, 1);
    if (one === undefined) break;
    const crowded = lossOf(one);
    taken.push({ ...one, score: one.score - crowded, crowded });
    if (one.session !== null) seen.set(one.session, (seen.get(one.session) ?? 0) + 1);
  }
  return taken;
}
