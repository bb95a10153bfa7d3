/**
 * What each stage did, written down by the runner and not by the actions: time, numbers, tasks, notes, and for every hit
 * how its place and score changed. So every recall explains itself, whatever actions are in the preset.
 */
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
}

/** How hits changed from one list to the next; those that did not change are not mentioned. */
export function effectsOf(before: readonly FoundHit[], after: readonly FoundHit[]): Effect[] {
  const earlier = new Map(before.map((hit, place) => [hit.id, { hit, place: place + 1 }]));
  const effects: Effect[] = [];
  for (const [index, hit] of after.entries()) {
    const place = index + 1;
    const was = earlier.get(hit.id);
    earlier.delete(hit.id);
    if (was === undefined) effects.push({ did: "found", id: hit.id, place, score: hit.score });
    else if (was.place !== place || was.hit.score !== hit.score || was.hit.text !== hit.text) {
      const { score: scoreBefore, text } = was.hit;
      const change = { from: was.place, place, scoreBefore, score: hit.score, rewritten: text !== hit.text };
      effects.push({ did: "changed", id: hit.id, ...change });
    }
  }
  for (const { hit, place } of earlier.values()) effects.push({ did: "dropped", id: hit.id, from: place });
  return effects;
}
