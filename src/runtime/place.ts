/** Where does a design stand in a scope's journal? Four cursors say so. */
import type { Scope } from "../base/scope.ts";
import type { OpenPreset } from "../preset/open.ts";

/** Names of the cursors of a design in a scope. */
export interface Place {
  /** Turns up to here are not needed again. */
  readonly read: string;
  /** Turns up to here have been taken up. */
  readonly done: string;
  /** What somebody judged has been taken up up to here: it waits for no window. */
  readonly judged: string;
  /** While a window is worked on: one more than the newest event before it. */
  readonly begun: string;
}

export function placeOf({ service }: OpenPreset, scope: Scope): Place {
  return placeIn(service.collection, scope);
}

function placeIn(collection: string, scope: Scope): Place {
  const at = `${collection}/${scope}`;
  return {
    read: `derive-read/${at}`,
    done: `derive-done/${at}`,
    judged: `derive-judged/${at}`,
    begun: `derive-begun/${at}`,
  };
}

/** For whoever empties a collection in a scope: at 0 a design begins anew. */
export function cursorNames(collection: string, scope: Scope): string[] {
  return Object.values(placeIn(collection, scope));
}
