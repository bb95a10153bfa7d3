/**
 * By several indexes at once: each is asked the same question, deeper than the answer is long, because what is second in
 * two lists may win; then the lists are made one. A hit keeps what every list gave it, under the list's name (C-33).
 */
import { MemoryError } from "../../base/errors.ts";
import type { Hit } from "../../base/hit.ts";
import { validNames } from "../../base/nearest-name.ts";
import { type FusionOptions, fuse } from "../../policies/fusion.ts";
import { type Hints, ignoredHint } from "../hints.ts";
import type { VectorField } from "../vector-fields.ts";
import type { Search, SearchBy } from "./search.ts";

export interface MultiIndexOptions {
  /** By the name that hints and weights use, in the order they are asked. */
  readonly lists: Readonly<Record<string, SearchBy>>;
  readonly fusion: FusionOptions;
  /** Each list is asked for so many times what the answer holds. */
  readonly overfetch: number;
}

export interface HitList {
  /** How the list is called in the parts of a score, and in weights. */
  readonly name: string;
  readonly hits: readonly Hit[];
}

export function multiIndex({ lists, fusion, overfetch }: MultiIndexOptions): SearchBy {
  const fitting = (query: Search["query"], hints: Hints): readonly [string, SearchBy][] =>
    chosen(lists, hints).filter(([, by]) => by.fits(query, hints));
  return {
    reads: [
      ...new Set(["indexes", "weights", ...Object.values(lists).flatMap(({ reads }) => reads)] as const),
    ],
    fits: (query, hints) => chosen(lists, hints).some(([, by]) => by.fits(query, hints)),
    async run(search) {
      const { query, hints, fields } = search;
      const asked = fitting(query, hints);
      const names = asked.map(([name]) => name);
      checkAsked(hints, asked, fields);
      const { own, others } = splitWeights(hints.weights, names);
      const deeper: Search = {
        ...search,
        query: { ...query, topK: overfetch * query.topK },
        hints: { ...hints, weights: others },
      };
      const found: HitList[] = [];
      for (const [name, by] of asked) found.push({ name, hits: await by.run(deeper) });
      const weighed = withWeights(fusion, own, names);
      return fuseHits(found, weighed, query.topK);
    },
  };
}

/** A hint is read by one of the lists that are really asked, and a weight is of one of them, or it is refused. */
function checkAsked(
  hints: Hints,
  asked: readonly [string, SearchBy][],
  fields: readonly VectorField[],
): void {
  const names = asked.map(([name]) => name);
  const reads = asked.flatMap(([, by]) => by.reads);
  const ignored = ignoredHint(hints, [...reads, "indexes", "weights", "time_range", "tiers"]);
  if (ignored !== undefined) {
    throw new MemoryError(
      "capability_missing",
      `None of the lists that are asked (${names.join(", ")}) reads the hint "${ignored}". ${validNames(ignored, reads)}`,
    );
  }
  // Whoever reads weights himself knows the vector fields.
  refuseUnknown(hints.weights, [
    ...names,
    ...(reads.includes("weights") ? fields.map(({ name }) => name) : []),
  ]);
}

/** The lists made one, best first. */
export function fuseHits(lists: readonly HitList[], fusion: FusionOptions, topK: number): Hit[] {
  const found = lists.map(({ name, hits }) => ({ name, byId: new Map(hits.map((hit) => [hit.id, hit])) }));
  return fuse(lists, fusion)
    .slice(0, topK)
    .flatMap(({ id, score, parts }) => {
      const scoreParts = named(fusion.strategy, parts);
      let last: Hit | undefined;
      for (const { name, byId } of found) {
        const hit = byId.get(id);
        if (hit === undefined) continue;
        Object.assign(scoreParts, named(name, hit.scoreParts));
        last = hit;
      }
      return last === undefined ? [] : [{ ...last, score, scoreParts }];
    });
}

/** The fusion with some of its weights replaced; a name that nothing has is refused. */
export function withWeights(
  fusion: FusionOptions,
  given: Readonly<Record<string, number>> | undefined,
  valid: readonly string[],
): FusionOptions {
  if (given === undefined) return fusion;
  refuseUnknown(given, valid);
  if (fusion.strategy === "union") {
    throw new MemoryError(
      "capability_missing",
      'The fusion "union" takes lists in their order and weighs none. Valid: rrf, weighted or raw_weighted, or no weights.',
    );
  }
  return { ...fusion, weights: { ...fusion.weights, ...given } };
}

function refuseUnknown(weights: Hints["weights"], valid: readonly string[]): void {
  const unknown = Object.keys(weights ?? {}).find((name) => !valid.includes(name));
  if (unknown === undefined) return;
  throw new MemoryError(
    "unknown_name",
    `There is nothing to weigh called "${unknown}". ${validNames(unknown, valid)}`,
  );
}

/** Weights of lists are for here; others are of vector fields, which the vectors' own search knows. */
function splitWeights(
  given: Hints["weights"],
  names: readonly string[],
): { readonly own: Hints["weights"]; readonly others: Hints["weights"] } {
  if (given === undefined) return { own: undefined, others: undefined };
  const { own = [], others = [] } = Object.groupBy(Object.entries(given), ([name]) =>
    names.includes(name) ? "own" : "others",
  );
  return {
    own: own.length === 0 ? undefined : Object.fromEntries(own),
    others: others.length === 0 ? undefined : Object.fromEntries(others),
  };
}

/** Those hinted, or all; an unknown name is refused. */
function chosen(
  lists: Readonly<Record<string, SearchBy>>,
  { indexes }: Hints,
): readonly [string, SearchBy][] {
  const valid = Object.keys(lists);
  const unknown = indexes?.find((name) => !valid.includes(name));
  if (unknown !== undefined) {
    throw new MemoryError(
      "index_not_found",
      `There is no index "${unknown}" to ask. ${validNames(unknown, valid)}`,
    );
  }
  return Object.entries(lists).filter(([name]) => indexes?.includes(name) ?? true);
}

function named(prefix: string, parts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [`${prefix}.${name}`, value]));
}
