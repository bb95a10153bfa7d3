/**
 * The memory files of cases, each lived through once for every way of writing: designs that differ only in how they read open
 * the same file. A question that has its own place in the stream is asked of the memory as it stood there, so a copy is kept
 * of every place. Files are this process's own and go with it; of the ways of writing only the last few are kept.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Preset } from "../../preset/preset.ts";
import type { LabCase, LabQuestion } from "../dataset.ts";
import type { QuestionLine } from "../result.ts";
import { type CaseOptions, openCase } from "../run/open-case.ts";
import { stopsOf } from "../schedule.ts";
import { writingHash } from "./preset-hash.ts";

export interface CaseMemories {
  /** The questions asked of the case as the preset remembers and reads it. */
  ask(
    one: LabCase,
    preset: Preset,
    questions: readonly LabQuestion[],
    ks: readonly number[],
  ): Promise<QuestionLine[]>;
  /** How often a case was lived through. */
  readonly lived: number;
  close(): Promise<void>;
}

/** What a case is opened with, besides preset and folder. */
export type CaseDeps = (one: LabCase, preset: Preset) => Omit<CaseOptions, "preset" | "folder">;

/** Ways of writing whose files are kept. */
const MOST_KEPT = 4;

interface Built {
  readonly folder: string;
  /** Case → the folders of its stops. */
  readonly cases: Map<string, readonly Stop[]>;
}

interface Stop {
  readonly folder: string;
  readonly questions: ReadonlySet<string>;
}

export function openCaseMemories(deps: CaseDeps): CaseMemories {
  /** By the hash of what writes, the one used last at the end. */
  const kept = new Map<string, Built>();
  let lived = 0;

  const builtFor = async (preset: Preset): Promise<Built> => {
    const hash = writingHash(preset);
    const built = kept.get(hash) ?? {
      folder: await mkdtemp(join(tmpdir(), "neuromem-tune-")),
      cases: new Map(),
    };
    kept.delete(hash);
    kept.set(hash, built);
    for (const [old, { folder }] of [...kept].slice(0, Math.max(0, kept.size - MOST_KEPT))) {
      kept.delete(old);
      await rm(folder, { recursive: true, force: true });
    }
    return built;
  };

  return {
    get lived() {
      return lived;
    },

    async ask(one, preset, questions, ks) {
      const { folder, cases } = await builtFor(preset);
      const stops = cases.get(one.id) ?? (await live(one, { ...deps(one, preset), preset }, folder));
      if (!cases.has(one.id)) lived++;
      cases.set(one.id, stops);
      const lines: QuestionLine[] = [];
      for (const stop of stops) {
        const here = questions.filter(({ id }) => stop.questions.has(id));
        if (here.length === 0) continue;
        const open = await openCase(one, { ...deps(one, preset), preset, folder: stop.folder });
        try {
          for (const question of here) lines.push(await open.ask(question, ks));
        } finally {
          await open.close();
        }
      }
      return lines;
    },

    async close() {
      for (const { folder } of kept.values()) await rm(folder, { recursive: true, force: true });
      kept.clear();
    },
  };
}

/** Lives through the case; every stop on the way leaves a copy of the memory as it was there. */
async function live(one: LabCase, options: Omit<CaseOptions, "folder">, above: string): Promise<Stop[]> {
  const stops = stopsOf(one, 1);
  const folder = await mkdtemp(join(above, "case-"));
  const kept: Stop[] = [];
  for (const [place, { point, questions }] of stops.entries()) {
    const open = await openCase(one, { ...options, folder });
    try {
      await open.live(point.turns);
    } finally {
      await open.close();
    }
    const isLast = place === stops.length - 1;
    const copy = isLast ? folder : `${folder}-${point.turns}`;
    if (!isLast) await cp(folder, copy, { recursive: true });
    kept.push({ folder: copy, questions: new Set(questions.map(({ id }) => id)) });
  }
  return kept;
}
