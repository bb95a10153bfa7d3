/**
 * Which setting is best? First the preset's own values and settings spread over the whole space (Latin hypercube sampling,
 * McKay, Beckman & Conover 1979: in n draws every n-th part of every range is drawn once), then steps from the best one along
 * one option at a time, halved when none of them helps. Nothing is known of the scores beforehand, and few tries are enough.
 *
 * The first settings depend on the seed alone, so searches over different cases share them. A setting takes the lead only
 * if it scores higher: where an option changes nothing, the preset's own value stays.
 */
import type { Json } from "../../base/json.ts";
import { seededRandom } from "../../base/random.ts";
import { shuffled } from "../shuffled.ts";
import { type Dimension, positionOf, valueAt, valuesOf } from "./dimension.ts";
import { type Setting, settingKey } from "./setting.ts";

export interface Space {
  readonly dimensions: readonly Dimension[];
  /** The preset's own values. */
  readonly start: Setting;
  /** Most settings a search scores. */
  readonly tries: number;
  readonly seed: number;
}

export interface Found {
  readonly setting: Setting;
  readonly score: number;
}

/** Of the tries, so many go to the whole space; the rest goes to the neighbourhood of the best. */
const SPREAD_SHARE = 0.6;
const FIRST_STEP = 0.25;
/** Steps smaller than this are below what is rounded away. */
const LAST_STEP = 1 / 64;

/** The settings that every search of a space begins with; the preset's own is the first. */
export function firstSettings({ dimensions, start, tries, seed }: Space): Setting[] {
  const all = everySetting(dimensions, tries);
  if (all !== undefined) return distinct([start, ...all]).slice(0, tries);
  const count = Math.max(0, Math.ceil(tries * SPREAD_SHARE) - 1);
  const random = seededRandom(seed);
  const places = Array.from({ length: count }, (_, place) => place);
  const columns = dimensions.map((dimension) =>
    shuffled(places, random).map((place) => valueAt(dimension, (place + random.next()) / count)),
  );
  const drawn = places.map((place) =>
    Object.fromEntries(dimensions.map(({ path }, column) => [path, columns[column]?.[place] ?? null])),
  );
  return distinct([start, ...drawn]);
}

/** The best setting by `scoreOf`, which gives null for one that does not fit the preset. The start must fit. */
export async function search(
  space: Space,
  scoreOf: (setting: Setting) => Promise<number | null>,
): Promise<Found> {
  const tried = new Set<string>();
  let best: Found = { setting: space.start, score: Number.NEGATIVE_INFINITY };
  /** Whether it took the lead; what was tried before is not tried again. */
  const attempt = async (setting: Setting): Promise<boolean> => {
    const key = settingKey(setting);
    if (tried.has(key) || tried.size >= space.tries) return false;
    tried.add(key);
    const score = await scoreOf(setting);
    if (score === null || score <= best.score) return false;
    best = { setting, score };
    return true;
  };
  for (const setting of firstSettings(space)) await attempt(setting);
  for (let step = FIRST_STEP; step >= LAST_STEP && tried.size < space.tries; ) {
    let isBetter = false;
    for (const dimension of space.dimensions) {
      for (const value of stepsFrom(dimension, best.setting[dimension.path], step)) {
        if (await attempt({ ...best.setting, [dimension.path]: value })) isBetter = true;
      }
    }
    if (!isBetter) step /= 2;
  }
  return best;
}

/** One step up and one down; of a few values, all others. */
function stepsFrom(dimension: Dimension, value: Json | undefined, step: number): readonly Json[] {
  if (dimension.kind === "choice") return dimension.values;
  const position = positionOf(dimension, value);
  return [position + step, position - step].map((at) => valueAt(dimension, at));
}

/** All there are, where they are few; undefined where they are more than `most` or cannot be counted. */
function everySetting(dimensions: readonly Dimension[], most: number): Setting[] | undefined {
  let settings: Setting[] = [{}];
  for (const dimension of dimensions) {
    const values = countable(dimension, most) ? valuesOf(dimension) : undefined;
    if (values === undefined || settings.length * values.length > most) return undefined;
    settings = settings.flatMap((setting) =>
      values.map((value) => ({ ...setting, [dimension.path]: value })),
    );
  }
  return settings;
}

/** A list of a million values is not made only to find that it is too long. */
function countable(dimension: Dimension, most: number): boolean {
  return dimension.kind === "choice" || dimension.high - dimension.low < most;
}

/** Each once, where it comes first. */
function distinct(settings: readonly Setting[]): Setting[] {
  const keys = settings.map(settingKey);
  return settings.filter((_, place) => keys.indexOf(keys[place] ?? "") === place);
}
