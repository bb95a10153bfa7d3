/**
 * What each stage did, written down by the runner and not by the actions: time, numbers, tasks, notes, and for every hit
 * how its place and score changed. So every recall explains itself, whatever actions are in the preset.
 */
import { isDeepStrictEqual } from "node:util";
import type { ErrorCode } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { FoundHit } from "./question.ts";
import type { Stage } from "./stage.ts";

export interface TaskRecord {
  readonly task: string;
  readonly path: "model" | "local";
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What an action did to one hit. Places count from 1. */
export type Effect =
  | { readonly did: "found"; readonly id: EntryId; readonly place: number; readonly score: number }
  | { readonly did: "dropped"; readonly id: EntryId; readonly from: number }
  | {
      readonly did: "changed";
      readonly id: EntryId;
      readonly from: number;
      readonly place: number;
      readonly scoreBefore: number;
      readonly score: number;
      /** Whether what is shown of it changed. */
      readonly rewritten: boolean;
    };

export interface StageRecord {
  readonly stage: Stage;
  readonly action: string;
  readonly ms: number;
  /** Drafts, entries, queries or hits that came in and went out. */
  readonly given: number;
  readonly result: number;
  readonly tasks: readonly TaskRecord[];
  readonly notes: JsonObject;
  readonly effects: readonly Effect[];
  /** What it failed with; the call failed with it. */
  readonly error?: ErrorCode | undefined;
}

/** How hits changed from one list to the next; those that did not change are not mentioned. */
export function effectsOf(before: readonly FoundHit[], after: readonly FoundHit[]): Effect[] {
  const earlier = firstPlaces(before);
  const effects: Effect[] = [];
  for (const [id, { hit, place }] of firstPlaces(after)) {
    const was = earlier.get(id);
    earlier.delete(id);
    if (was === undefined) effects.push({ did: "found", id, place, score: hit.score });
    else if (was.place !== place || !isSame(was.hit, hit)) {
      const rewritten = was.hit.text !== hit.text;
      const change = { from: was.place, place, scoreBefore: was.hit.score, score: hit.score, rewritten };
      effects.push({ did: "changed", id, ...change });
    }
  }
  for (const [id, { place }] of earlier) effects.push({ did: "dropped", id, from: place });
  return effects;
}

function firstPlaces(
  hits: readonly FoundHit[],
): Map<EntryId, { readonly hit: FoundHit; readonly place: number }> {
  const places = new Map<EntryId, { readonly hit: FoundHit; readonly place: number }>();
  for (const [index, hit] of hits.entries()) {
    if (!places.has(hit.id)) places.set(hit.id, { hit, place: index + 1 });
  }
  return places;
}

function isSame(a: FoundHit, b: FoundHit): boolean {
  return a.score === b.score && a.text === b.text && isDeepStrictEqual(a.scoreParts, b.scoreParts);
}
