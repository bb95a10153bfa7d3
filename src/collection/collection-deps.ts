/** What a collection is given to work with. */
import type { Clock } from "../base/clock.ts";
import type { IdMaker } from "../base/ids.ts";
import type { Trace } from "../base/trace.ts";
import type { IndexKinds } from "../indexes/index.ts";
import type { IndexDeps } from "../indexes/index-contract.ts";
import type { Storage } from "../storage/storage.ts";

export interface CollectionDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly trace: Trace;
  /** The index kinds that exist, by name: the built-in ones and the caller's own. */
  readonly kinds: IndexKinds;
  readonly text: Pick<IndexDeps, "tokenize" | "tokenizerId">;
}
