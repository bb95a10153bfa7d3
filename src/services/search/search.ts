/** One way of looking, as the services share it. A strategy is handed a checked question and gives hits, best first. */
import { MemoryError } from "../../base/errors.ts";
import { type Filter, where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import { validNames } from "../../base/nearest-name.ts";
import type { Scope } from "../../base/scope.ts";
import type { Collection } from "../../collection/collection.ts";
import {
  type HintName,
  type Hints,
  ignoredHint,
  STRATEGIES,
  type Strategy,
  type StrategyHints,
} from "../hints.ts";
import type { ServiceQuery } from "../service.ts";
import type { VectorField } from "../vector-fields.ts";

export interface Search {
  readonly scope: Scope;
  readonly collection: Collection;
  readonly fields: readonly VectorField[];
  readonly query: ServiceQuery & { readonly topK: number };
  readonly hints: Hints;
  /** Under which name the service keeps the index that a strategy asks for: each tier has its own. */
  readonly indexOf: (name: string) => string;
  /** The query's filter together with what the hints narrow. */
  readonly filter: Filter | undefined;
}

export interface SearchBy {
  /** The hints it follows, besides those that narrow (see `narrow`). */
  readonly reads: readonly HintName[];
  /** Whether a question holds what this way of looking needs: a vector, words, or nothing. */
  fits(query: ServiceQuery, hints: Hints): boolean;
  run(search: Search): Promise<Hit[]>;
}

export type Searches = Readonly<Partial<Record<Strategy, SearchBy>>>;

/** What a service with these searches says of itself. Every search is narrowed by time, and by tier where there are tiers. */
export function strategiesOf(searches: Searches, tiers: readonly string[] = []): StrategyHints {
  const narrowing: HintName[] = tiers.length > 0 ? ["time_range", "tiers"] : ["time_range"];
  return Object.fromEntries(
    Object.entries(searches).map(([name, { reads }]) => [name, [...new Set([...reads, ...narrowing])]]),
  );
}

/** All that narrows, as one filter: the caller's own, tiers, and times. */
export function narrow(filter: Filter | undefined, hints: Hints): Filter | undefined {
  const parts: Filter[] = filter === undefined ? [] : [filter];
  if (hints.tiers !== undefined) parts.push(where.in("tier", hints.tiers));
  if (hints.time_range !== undefined) {
    const { from, to } = hints.time_range;
    parts.push(where.range("happenedAt", { gte: from, lte: to }));
  }
  return parts.length < 2 ? parts[0] : where.and(...parts);
}

/** The hinted way of looking, or the first that the question can feed and that reads every hint given. */
export function chooseSearch(
  searches: Searches,
  reads: StrategyHints,
  query: ServiceQuery,
  hints: Hints,
  service: string,
): Strategy {
  const offered = STRATEGIES.filter((name) => searches[name] !== undefined);
  // In the order the service wrote them, not in that of the list of all strategies.
  const order = Object.keys(searches).flatMap((name) => offered.filter((one) => one === name));
  if (hints.strategy !== undefined && !offered.includes(hints.strategy)) {
    throw new MemoryError(
      "capability_missing",
      `The service ${service} cannot look by "${hints.strategy}". ${validNames(hints.strategy, offered)}`,
    );
  }
  const wanted = hints.strategy === undefined ? order : [hints.strategy];
  const fitting = (given: Hints): Strategy[] => wanted.filter((name) => searches[name]?.fits(query, given));
  const fits = fitting(hints);
  // Where none reads all hints, the first is the one whose refusal says what it does not read.
  const chosen = fits.find((name) => ignoredHint(hints, reads[name] ?? []) === undefined) ?? fits[0];
  if (chosen !== undefined) return chosen;
  const elsewhere = hints.tiers === undefined ? [] : fitting({ ...hints, tiers: undefined });
  if (elsewhere.length > 0) {
    throw new MemoryError(
      "capability_missing",
      `The service ${service} can look by ${elsewhere.join(" or ")}, but not in the tiers ${hints.tiers?.join(", ")}, which have no index for it. Valid: other tiers, or another strategy.`,
    );
  }
  throw new MemoryError(
    "input_invalid",
    `The service ${service} cannot look by ${wanted.join(" or ")}: the question lacks what that needs. Valid: a question with a vector of the service's embedder, or a text where it looks by words.`,
  );
}
