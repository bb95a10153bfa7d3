/** Which design? Presets: YAML files that are loaded, checked, compared and put to work. */
export { ACTIONS } from "../actions/index.ts";
export { appendTurns } from "../pipeline/journal.ts";
export { type Difference, presetDiff } from "./diff.ts";
export { presetJsonSchema } from "./json-schema.ts";
export { listPresets, loadFeatures, loadPreset, loadRecommended, parsePreset } from "./load.ts";
export { type OpenDeps, type OpenPreset, openPreset } from "./open.ts";
export { type Preset, type PresetAction, presetData } from "./preset.ts";
export type { Recommended } from "./recommended.ts";
