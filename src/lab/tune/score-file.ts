/**
 * Scores on disk: one line of JSON for every setting and case, so that a tune that was stopped goes on where it was. A line
 * that was cut short by a kill is cut off. Scores are of the program as it was: what was changed since in an action's code is
 * in no hash, so whoever goes on with a file scores one of its lines again and throws the rest away if it comes out otherwise.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import type { CaseScores } from "./cross-validate.ts";

export interface ScoreLine {
  /** Hash of the preset that was scored. */
  readonly preset: string;
  readonly case: string;
  readonly scores: CaseScores;
}

export interface ScoreFile {
  /** How many lines an earlier run left. */
  readonly found: number;
  get(preset: string, ofCase: string): CaseScores | undefined;
  put(line: ScoreLine): void;
  /** All lines are thrown away. */
  clear(): void;
}

const lineSchema = z.strictObject({
  preset: z.string(),
  case: z.string(),
  scores: z.record(z.string(), z.number()),
});

/** `isFresh`: what lies there is thrown away unread. */
export function openScoreFile(path: string, isFresh = false): ScoreFile {
  const known = new Map<string, CaseScores>();
  guarded(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    if (isFresh) writeFileSync(path, "");
    for (const { preset, case: ofCase, scores } of readLines(path))
      known.set(keyOf(preset, ofCase), new Map(Object.entries(scores)));
  });
  return {
    found: known.size,
    get: (preset, ofCase) => known.get(keyOf(preset, ofCase)),
    put({ preset, case: ofCase, scores }) {
      known.set(keyOf(preset, ofCase), scores);
      const line = JSON.stringify({ preset, case: ofCase, scores: Object.fromEntries(scores) });
      guarded(path, () => appendFileSync(path, `${line}\n`));
    },
    clear() {
      known.clear();
      guarded(path, () => writeFileSync(path, ""));
    },
  };
}

function readLines(path: string): z.infer<typeof lineSchema>[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  return whole
    .split("\n")
    .filter((line) => line !== "")
    .map((line, place) => {
      try {
        return lineSchema.parse(JSON.parse(line));
      } catch (cause) {
        throw new MemoryError(
          "input_invalid",
          `${path}:${place + 1} is no line of scores. Valid: the file as it was written, or --fresh to begin anew.`,
          { cause },
        );
      }
    });
}

function keyOf(preset: string, ofCase: string): string {
  return `${preset} ${ofCase}`;
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (MemoryError.is(cause)) throw cause;
    throw new MemoryError(
      "storage_io",
      `The scores in ${path} could not be read or written. Valid: a cache folder of your own, with room in it.`,
      { cause },
    );
  }
}
