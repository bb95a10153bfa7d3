/**
 * How is an id found? An index holds no truth: it is fed from the collection's single copy, can be dropped and rebuilt
 * at any time, and answers a query with ids, scores and the parts each score is made of.
 *
 * Laws every kind keeps (and `testIndex` checks):
 * - grown step by step equals rebuilt from scratch; save then load gives the same answers;
 * - a query returns exactly `limit` candidates, or all that match, from the given scopes and (if given) the allowed ids;
 * - candidates come best first, ties in ascending order of id; what was removed is gone;
 * - adding an id that is there replaces it; removing one that is not there does nothing.
 */
import type { z } from "zod";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { MaybePromise } from "../base/promise.ts";
import type { Scope } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import type { FeedItem } from "../storage/feed.ts";

/** What of an entry an index wants to be fed; the feed reads nothing else. */
export interface IndexNeeds {
  /** Entry fields (as filters name them) whose change must reach the index; [] if it reads none. */
  readonly fields: readonly string[];
  /** The vector space it searches, if any, and how long its vectors are. */
  readonly space?: string;
  readonly dimension?: number;
  /** Whether it wants the edges that leave the entry. */
  readonly edges?: boolean;
}

/** One member as it is fed: with its entry if `needs.fields` names any, its vector and its edges if they are wanted. */
export type IndexItem = FeedItem;

export interface IndexQuery {
  /** The only scopes an answer may come from. */
  readonly scopes: readonly Scope[];
  readonly limit: number;
  /** If given, whoever scores less is of no use: a kind that can tell early need not look at them. */
  readonly least?: number | undefined;
  /**
   * Whether scores may be off, by a thousandth or so and never by more than 0.04, if a kind can then leave the truth
   * unread. @default false
   */
  readonly rough?: boolean | undefined;
  /** If given, only these ids may be returned (a filter that was resolved first). */
  readonly allow?: ReadonlySet<EntryId> | undefined;
  readonly text?: string | undefined;
  readonly vector?: Vector | undefined;
  /** Options of this kind's own queries, checked by the kind: seeds of a walk, bounds of a range … */
  readonly params?: JsonObject | undefined;
  /** Told how many match within the scopes, beyond the limit too, by a kind that knows it anyway. */
  readonly onMatch?: ((matching: number) => void) | undefined;
}

export interface Candidate {
  readonly id: EntryId;
  readonly score: number;
  /** Named summands or factors of the score, for explanations. */
  readonly parts: Readonly<Record<string, number>>;
}

export interface IndexStats {
  readonly items: number;
  /** Bytes of the index's own arrays. */
  readonly bytes: number;
}

export interface Index {
  readonly kind: string;
  readonly needs: IndexNeeds;
  add(items: readonly IndexItem[]): void;
  remove(ids: readonly EntryId[]): void;
  query(query: IndexQuery): MaybePromise<Candidate[]>;
  save(): Uint8Array;
  /** Throws on bytes it did not write; the caller then rebuilds. */
  load(bytes: Uint8Array): void;
  /** Lets go of what was kept for members that are gone; answers stay the same. */
  tidy?(): void;
  stats(): IndexStats;
}

/** What an index may ask of its surroundings. */
export interface IndexDeps {
  /** Words of a text in the form they are matched; changing it changes `tokenizerId`, which forces a rebuild. */
  readonly tokenize: (text: string) => readonly string[];
  readonly tokenizerId: string;
  /** The full-precision vectors of some entries, in the order asked; undefined where there is none. */
  readonly fetchVectors: (
    space: string,
    ids: readonly EntryId[],
  ) => MaybePromise<readonly (Float32Array | undefined)[]>;
}

/** S0-43: the three families that collection profiles allow or forbid. */
export type IndexFamily = "vector" | "text" | "graph";

export interface IndexDefinition<Options = unknown> {
  readonly kind: string;
  readonly family: IndexFamily;
  readonly summary: string;
  readonly options: z.ZodType<Options>;
  /** Options that may be changed when the index is there: they say what is answered, not what is held. @default [] */
  readonly adjustable?: readonly string[];
  create(options: Options, deps: IndexDeps): Index;
}

export function defineIndex<Options>(definition: IndexDefinition<Options>): IndexDefinition<Options> {
  return definition;
}
