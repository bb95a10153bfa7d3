/** One setting on one case: remembered, found on disk, or measured now. Only questions that expect an answer are asked. */
import { MemoryError } from "../../base/errors.ts";
import { throwIfAborted } from "../../models/abort.ts";
import type { Preset } from "../../preset/preset.ts";
import type { LabCase } from "../dataset.ts";
import type { CaseMemories } from "./case-memories.ts";
import type { CaseScores } from "./cross-validate.ts";
import { overridePreset } from "./override-preset.ts";
import { presetHash } from "./preset-hash.ts";
import type { ScoreFile } from "./score-file.ts";
import { type Setting, settingKey } from "./setting.ts";

export interface ScorerOptions {
  readonly preset: Preset;
  readonly cases: readonly LabCase[];
  readonly measure: string;
  readonly ks: readonly number[];
  readonly memories: CaseMemories;
  readonly file: ScoreFile;
  readonly signal?: AbortSignal | undefined;
  /** Told how long a case took that was neither remembered nor on disk. */
  readonly onMeasured?: ((ms: number, wasLived: boolean) => void) | undefined;
}

export interface CaseScorer {
  /** Null: the setting does not fit the preset. */
  score(setting: Setting, ofCase: string): Promise<CaseScores | null>;
  /** Whether what is on disk is what the program would find today; tried on the case that is scored first. */
  isFileOfToday(start: Setting): Promise<boolean>;
}

export function caseScorer(options: ScorerOptions): CaseScorer {
  const { cases, memories, file, measure, ks, signal, onMeasured } = options;
  const byId = new Map(cases.map((one) => [one.id, one]));
  const presets = new Map<string, { readonly preset: Preset; readonly hash: string } | null>();

  const presetOf = (setting: Setting) => {
    const key = settingKey(setting);
    const known = presets.get(key);
    if (known !== undefined) return known;
    const made = fitting(options.preset, setting);
    const entry = made && { preset: made, hash: presetHash(made) };
    presets.set(key, entry);
    return entry;
  };

  const measureCase = async (preset: Preset, ofCase: string): Promise<CaseScores> => {
    const one = byId.get(ofCase);
    const asked = one?.questions.filter(({ expects }) => expects === "answer") ?? [];
    if (one === undefined || asked.length === 0) return new Map();
    const [started, lived] = [performance.now(), memories.lived];
    const lines = await memories.ask(one, preset, asked, ks);
    onMeasured?.(performance.now() - started, memories.lived > lived);
    return new Map(
      lines.flatMap(({ question, measures }) => {
        const value = measures[measure];
        return value === null || value === undefined ? [] : [[question, value] as const];
      }),
    );
  };

  return {
    async score(setting, ofCase) {
      throwIfAborted(signal, "The tuning");
      const entry = presetOf(setting);
      if (entry === null) return null;
      const known = file.get(entry.hash, ofCase);
      if (known !== undefined) return known;
      const scores = await measureCase(entry.preset, ofCase);
      file.put({ preset: entry.hash, case: ofCase, scores });
      return scores;
    },

    async isFileOfToday(start) {
      const [first] = cases;
      const entry = presetOf(start);
      if (first === undefined || entry === null) return true;
      const known = file.get(entry.hash, first.id);
      if (known === undefined) return file.found === 0;
      const today = await measureCase(entry.preset, first.id);
      return (
        today.size === known.size && [...today].every(([question, value]) => known.get(question) === value)
      );
    },
  };
}

/** Null for values that do not fit together, though each of them may. */
function fitting(preset: Preset, setting: Setting): Preset | null {
  try {
    return overridePreset(preset, setting);
  } catch (error) {
    if (MemoryError.is(error) && error.code === "option_invalid") return null;
    throw error;
  }
}
