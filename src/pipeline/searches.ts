/** Which searches does a query stand for? One along each of its ways: its own, or the question's, or the service's. */
import { type Filter, where } from "../base/filter.ts";
import type { Hints } from "../services/hints.ts";
import type { Question, SubQuery } from "./question.ts";

export interface PlannedSearch {
  readonly query: SubQuery;
  readonly hints: Hints;
  /** The question's and the query's together. */
  readonly filter: Filter | undefined;
}

export function searchesOf(query: SubQuery, { routes, filter }: Question): PlannedSearch[] {
  const ways = query.route === undefined ? (routes.length === 0 ? [{}] : routes) : [query.route];
  return ways.map((hints) => ({ query, hints, filter: both(filter, query.filter) }));
}

function both(one: Filter | undefined, other: Filter | undefined): Filter | undefined {
  return one === undefined || other === undefined ? (one ?? other) : where.and(one, other);
}
