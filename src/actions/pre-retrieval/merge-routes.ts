/**
 * Ways of looking laid out by several actions, in whatever order. One that was laid out before by the same strategy is not
 * taken beside the new one: its hints go with it, so that multi_embed's fields and route's time meet in one search. A
 * query with a way of its own takes those hints, too, but keeps what it says itself.
 */
import type { Question, SubQuery } from "../../pipeline/question.ts";
import type { Hints } from "../../services/hints.ts";

/** The question with further ways of looking. Where every query goes its own way, the question takes those that are left. */
export function layRoutes(question: Question, added: readonly Hints[]): Question {
  const queries = question.queries.map((query) =>
    query.route === undefined
      ? query
      : { ...query, route: { ...sameWay(query.route, added), ...query.route } },
  );
  const routes = mergeRoutes(question.routes, added);
  if (queries.some(({ route }) => route === undefined)) return { ...question, routes, queries };
  const untaken = added.filter(({ strategy }) => !queries.some(({ route }) => route?.strategy === strategy));
  return { ...question, routes, queries: [...queries, ...untaken.map((route) => asked(question, route))] };
}

/** A way of its own for a query, with the hints that were laid out for that way before. */
export function ownRoute(route: Hints, { routes }: Question): Hints {
  return { ...sameWay(route, routes), ...route };
}

function mergeRoutes(earlier: readonly Hints[], added: readonly Hints[]): readonly Hints[] {
  const kept = earlier.filter((route) => sameWay(route, added) === undefined);
  return [...kept, ...added.map((route) => ({ ...sameWay(route, earlier), ...route }))];
}

function sameWay({ strategy }: Hints, routes: readonly Hints[]): Hints | undefined {
  return routes.find((route) => route.strategy === strategy);
}

function asked({ text }: Question, route: Hints): SubQuery {
  return { text, vectors: [], weight: 1, route };
}
