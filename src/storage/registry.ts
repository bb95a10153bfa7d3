/** Which collections and indexes exist: the rows a collection is opened from. */
import type { JsonObject } from "../base/json.ts";

export interface CollectionRecord {
  readonly name: string;
  readonly profile: string;
  readonly indexes: readonly IndexRecord[];
}

export interface IndexRecord {
  /** Never given twice, so a membership of a dropped index can never come back to life. */
  readonly number: number;
  readonly name: string;
  readonly kind: string;
  readonly options: JsonObject;
}
