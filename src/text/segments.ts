/**
 * Where does the talk turn to another topic? TextTiling (Hearst, 1997) over turns: the words of the turns before and
 * after every gap are compared, and a gap that lies in a deep enough valley of likeness is a border.
 */
import { tokenize } from "./tokenize.ts";

export interface SegmentOptions {
  /** Turns compared on either side of a gap. @default 4 */
  readonly window?: number;
  /** Fewest turns of a segment. @default 2 */
  readonly minTurns?: number;
  /** How deep a valley must be, in standard deviations from the mean depth; more finds fewer borders. @default 0.5 */
  readonly sensitivity?: number;
}

export interface Segment {
  /** Index of its first turn. */
  readonly start: number;
  /** Index after its last turn. */
  readonly end: number;
}

/** Segments that together hold every turn once, in order. */
export function segmentTopics(turns: readonly string[], options: SegmentOptions = {}): Segment[] {
  const { window = 4, minTurns = 2, sensitivity = 0.5 } = options;
  if (turns.length === 0) return [];
  const tokens = turns.map((turn) => tokenize(turn));
  const weights = inverseFrequencies(tokens);
  const likeness: number[] = [];
  for (let gap = 1; gap < turns.length; gap++) {
    const before = bag(tokens.slice(Math.max(0, gap - window), gap), weights);
    const after = bag(tokens.slice(gap, gap + window), weights);
    likeness.push(cosine(before, after));
  }
  const borders = chooseBorders(depths(smoothed(likeness)), turns.length, minTurns, sensitivity);
  const edges = [0, ...borders, turns.length];
  return edges.slice(1).map((end, i) => ({ start: edges[i] ?? 0, end }));
}

/** A valley shallower than this is noise, however even the rest. */
const SHALLOWEST = 0.1;

/** Words of every turn tell topics apart less than rare ones. */
function inverseFrequencies(tokens: readonly (readonly string[])[]): Map<string, number> {
  const holding = new Map<string, number>();
  for (const turn of tokens)
    for (const token of new Set(turn)) holding.set(token, (holding.get(token) ?? 0) + 1);
  return new Map([...holding].map(([token, count]) => [token, Math.log(1 + tokens.length / count)]));
}

function bag(
  turns: readonly (readonly string[])[],
  weights: ReadonlyMap<string, number>,
): Map<string, number> {
  const out = new Map<string, number>();
  for (const turn of turns) {
    for (const token of turn) out.set(token, (out.get(token) ?? 0) + (weights.get(token) ?? 1));
  }
  return out;
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let dot = 0;
  for (const [token, weight] of a) dot += weight * (b.get(token) ?? 0);
  return dot === 0 ? 0 : dot / (norm(a) * norm(b));
}

function norm(vector: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const weight of vector.values()) sum += weight * weight;
  return Math.sqrt(sum);
}

/** Each value with its neighbours, so that one odd turn makes no valley. */
function smoothed(values: readonly number[]): number[] {
  return values.map((value, i) => (2 * value + (values[i - 1] ?? value) + (values[i + 1] ?? value)) / 4);
}

/** How far likeness rises again on both sides of a gap. */
function depths(likeness: readonly number[]): number[] {
  const climb = (from: number, step: 1 | -1): number => {
    let peak = likeness[from] ?? 0;
    for (let i = from + step; i >= 0 && i < likeness.length && (likeness[i] ?? 0) >= peak; i += step) {
      peak = likeness[i] ?? 0;
    }
    return peak - (likeness[from] ?? 0);
  };
  return likeness.map((_, i) => climb(i, -1) + climb(i, 1));
}

function chooseBorders(
  depth: readonly number[],
  turns: number,
  minTurns: number,
  sensitivity: number,
): number[] {
  if (depth.length === 0) return [];
  const mean = depth.reduce((sum, value) => sum + value, 0) / depth.length;
  const deviation = Math.sqrt(depth.reduce((sum, value) => sum + (value - mean) ** 2, 0) / depth.length);
  const cutoff = Math.max(SHALLOWEST, mean + sensitivity * deviation);
  const chosen: number[] = [];
  for (const gap of [...depth.keys()].sort((a, b) => (depth[b] ?? 0) - (depth[a] ?? 0) || a - b)) {
    if ((depth[gap] ?? 0) < cutoff) break;
    const border = gap + 1;
    const isApart = [0, turns, ...chosen].every((other) => Math.abs(other - border) >= minTurns);
    if (isApart) chosen.push(border);
  }
  return chosen.sort((a, b) => a - b);
}
