/** When do two presets do the same, and when do they remember the same? */
import { createHash } from "node:crypto";
import type { JsonObject } from "../../base/json.ts";
import { asObject } from "../../preset/option-table.ts";
import { type Preset, presetData } from "../../preset/preset.ts";

/** The stages that only read: what is remembered does not depend on them. */
const READING_STAGES: readonly string[] = ["pre_retrieval", "memory_retrieval", "post_retrieval"];

/** What decides a score: presets of one hash do the same, whatever they are called. */
export function presetHash(preset: Preset): string {
  return hashOf(doing(preset));
}

/** What decides what is remembered: the preset without the stages that read. A memory of one hash serves them all. */
export function writingHash(preset: Preset): string {
  const { stages, ...rest } = doing(preset);
  const writing = Object.entries(asObject(stages) ?? {}).filter(([stage]) => !READING_STAGES.includes(stage));
  return hashOf({ ...rest, stages: Object.fromEntries(writing) });
}

function doing(preset: Preset): JsonObject {
  const { name: _, summary: __, about: ___, ...rest } = presetData(preset);
  return rest;
}

function hashOf(data: JsonObject): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("hex");
}
