/**
 * When is what asked? A stream is stopped at evenly spread points, and at each of them every question that could be answered by
 * then is asked again, so that a run shows how a memory fares as it grows (B.0.5). With one point everything is asked at the
 * end, but for questions that have a place of their own in the stream: those are asked right there.
 */
import type { LabCase, LabQuestion } from "./dataset.ts";

/** After how many turns the stream is stopped: round(turns · i / points), rising, none twice, never before the first turn. */
export function pointsOf(turns: number, points: number): number[] {
  const all = Array.from({ length: points }, (_, place) => Math.round((turns * (place + 1)) / points));
  const rising = [...new Set(all)].filter((said) => said > 0);
  return rising.length === 0 ? [turns] : rising;
}

/** One stop in a stream. */
export interface Stop {
  readonly point: { readonly number: number; readonly of: number; readonly turns: number };
  /** Whether it is one of the points, or only the place of some question on the way to the next one. */
  readonly isPoint: boolean;
  readonly questions: readonly LabQuestion[];
}

export function stopsOf({ turns, questions }: LabCase, points: number): Stop[] {
  const ends = pointsOf(turns.length, points);
  if (points > 1) {
    const places = new Map(turns.map(({ ref }, place) => [ref, place + 1]));
    const sessions = new Map(turns.map(({ session }, place) => [session, place + 1]));
    const tellable = questions.map((question) => ({
      question,
      from: tellableFrom(question, places, sessions, turns.length),
    }));
    return ends.map((said, place) => ({
      point: { number: place + 1, of: ends.length, turns: said },
      isPoint: true,
      questions: tellable.filter(({ from }) => from <= said).map(({ question }) => question),
    }));
  }
  const asked = Map.groupBy(questions, ({ after }) => Math.min(after ?? turns.length, turns.length));
  asked.set(turns.length, asked.get(turns.length) ?? []);
  return [...asked]
    .toSorted(([a], [b]) => a - b)
    .map(([said, here]) => ({
      point: { number: 1, of: 1, turns: said },
      isPoint: said === turns.length,
      questions: here,
    }));
}

/** How many turns must have been said: the labels' last one; where there are no labels, the question's own place, or all. */
function tellableFrom(
  { evidence, sessions: labelled, after }: LabQuestion,
  places: ReadonlyMap<string, number>,
  sessions: ReadonlyMap<string, number>,
  all: number,
): number {
  const known =
    evidence.length > 0 ? evidence.map((ref) => places.get(ref)) : labelled.map((name) => sessions.get(name));
  const last = known.length === 0 ? (after ?? all) : Math.max(...known.map((place) => place ?? all));
  return Math.min(all, Math.max(last, after ?? 0));
}
