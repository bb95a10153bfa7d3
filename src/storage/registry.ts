/** Which collections and indexes exist: the rows a collection is opened from. */
import type { JsonObject } from "../base/json.ts";

export interface CollectionRecord {
  readonly name: string;
  readonly profile: string;
  readonly indexes: readonly IndexRecord[];
}

export interface IndexRecord extends NewIndex {
  /** Never given twice, so a membership of a dropped index can never come back to life. */
  readonly number: number;
}

export interface NewIndex {
  readonly name: string;
  readonly kind: string;
  readonly options: JsonObject;
}

/** Which of a collection's entries join a new index at once: all, or all with a fitting vector; archived ones never. */
export interface Fill {
  readonly space: string | undefined;
  readonly dimension: number | undefined;
}

export interface Registry {
  collections(): Promise<CollectionRecord[]>;
  /** The collection and its first indexes, at once; `name_taken` if there is one of that name. */
  putCollection(name: string, profile: string, indexes: readonly NewIndex[]): Promise<CollectionRecord>;
  /** Its entries, their history and its indexes go with it; the journal stays. */
  removeCollection(name: string): Promise<void>;
  putIndex(collection: string, index: NewIndex, fill?: Fill): Promise<IndexRecord>;
  /** Other options for an index that is there; its number and its members stay. */
  changeIndex(collection: string, name: string, options: JsonObject): Promise<void>;
  removeIndex(collection: string, name: string): Promise<void>;
}
