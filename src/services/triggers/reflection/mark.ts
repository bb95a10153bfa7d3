/**
 * How far has a reflection come? Every insight keeps the last entry that was considered for it (`metadata.up_to`). Where
 * nothing followed, that entry itself keeps it (`metadata.reflected`), so that a model is not asked the same again. What
 * arrives while one thinks comes after either, and is considered next time. Each subject has marks of its own.
 */
import type { Entry } from "../../../base/entry.ts";
import { type EntryId, isEntryId } from "../../../base/ids.ts";
import { type Json, type JsonObject, jsonObjectSchema } from "../../../base/json.ts";
import type { TriggerContext } from "../trigger.ts";
import type { Subject } from "./subject.ts";

export interface Mark {
  /** The last entry that was considered. */
  readonly upTo: EntryId;
  /** When that was. */
  readonly at: number;
}

/** What an insight keeps of the reflection it came of. */
export function markOf(about: Subject, upTo: EntryId): JsonObject {
  const name = about.type === "general" ? {} : { about_name: about.name };
  return { about: about.type, ...name, up_to: upTo };
}

/** The furthest that the insights about a subject tell of. */
export function lastMark(insights: readonly Entry[], about: Subject): Mark | undefined {
  let last: Mark | undefined;
  for (const { metadata, createdAt } of insights) {
    const { up_to: upTo } = metadata;
    const isSame =
      metadata.about === about.type && (about.type === "general" || metadata.about_name === about.name);
    if (!isSame || typeof upTo !== "string" || !isEntryId(upTo)) continue;
    if (last === undefined || upTo > last.upTo) last = { upTo, at: createdAt };
  }
  return last;
}

/** The furthest that entries tell of without insights; they are in order, oldest first. */
export function emptyMark(entries: readonly Entry[], about: Subject): Mark | undefined {
  for (const { id, metadata } of entries.toReversed()) {
    const at = objectOf(metadata.reflected)[subjectName(about)];
    if (typeof at === "number") return { upTo: id, at };
  }
  return undefined;
}

export async function markEmpty(
  { scope, store }: TriggerContext,
  { id, metadata }: Entry,
  about: Subject,
  at: number,
): Promise<void> {
  const reflected = { ...objectOf(metadata.reflected), [subjectName(about)]: at };
  await store.update(scope, id, { metadata: { ...metadata, reflected } }, { cause: "reflection" });
}

function subjectName(about: Subject): string {
  return about.type === "general" ? about.type : `${about.type} ${about.name}`;
}

function objectOf(value: Json | undefined): JsonObject {
  return jsonObjectSchema.safeParse(value).data ?? {};
}
