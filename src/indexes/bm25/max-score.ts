/**
 * Which documents score best? MaxScore (Turtle & Flood, Query evaluation: strategies and optimizations, 1995) over
 * windows of documents. Once k documents are held, only documents that can still get in among them are scored:
 * - where the needed words are common, those whose bits say so (see bit-filter.ts);
 * - elsewhere, those found by adding the needed words up; words that could not lift a document over the threshold even
 *   all together are only looked up for documents that other words propose.
 *
 * Shares are always added in the order of the runs, so a score does not depend on what was skipped.
 */
import { type LengthNorm, wordShare } from "../../math/bm25.ts";
import { BitFilter, type DocBits, WINDOW } from "./bit-filter.ts";
import { FULL, type PostingRun, seek } from "./posting-run.ts";

export interface WeightedRun extends PostingRun {
  readonly word: string;
  readonly weight: number;
  /** No document of the run gets more than this from the word; Infinity if nobody knows. */
  readonly bound: number;
  /** The same documents as bits, if that can be had; documents that are gone may be among them. */
  readonly bits: () => DocBits | undefined;
  /** How often the word stands in a document whose posting says `FULL`. */
  readonly exactTimes: (doc: number) => number;
}

/** The texts the runs speak of. */
export interface Texts {
  readonly lengths: Uint32Array;
  readonly norm: LengthNorm;
}

export interface Collector {
  /** Documents that score less need not be offered. */
  threshold(): number;
  offer(doc: number, score: number): void;
}

/** Room to work in, kept from query to query. */
export interface Workspace {
  /** By place in the window: the sum so far. */
  readonly sums: Float64Array;
  /** Which stretches of the window hold a sum. */
  readonly touched: Uint8Array;
  /** The documents that may still get in, and their sums. */
  readonly docs: Uint32Array;
  readonly scores: Float64Array;
  /** What words that are repeated may add to those sums. */
  readonly extras: Float64Array;
  readonly filter: BitFilter;
}

/** log2 of the length of a stretch. */
const STRETCH = 6;
/** Below this many postings in a window, adding them up is as fast as working with bits. */
const WORTH_BITS = 512;
/** By how much the threshold must have grown before the bits are filtered more strictly. */
const WORTH_AIMING = 1.02;
/** Looking one document up in a run takes about as long as reading this many postings. */
const LOOK_UP_COST = 4;
/** Sums of bounds and sums of shares are rounded differently; this much more than covers it. */
const SLACK = 1 + 1e-9;

export function createWorkspace(): Workspace {
  return {
    sums: new Float64Array(WINDOW),
    touched: new Uint8Array(WINDOW >> STRETCH),
    docs: new Uint32Array(WINDOW),
    scores: new Float64Array(WINDOW),
    extras: new Float64Array(WINDOW),
    filter: new BitFilter(),
  };
}

export function maxScore(
  runs: readonly WeightedRun[],
  texts: Texts,
  collector: Collector,
  workspace: Workspace,
): void {
  const rest = restBounds(runs);
  const cursors = runs.map((run) => ({ run, place: run.start, perWindow: postingsPerWindow(run) }));
  const propose = createProposer(runs, texts, workspace);
  let needed = runs.length;
  for (let from = 0; ; ) {
    const threshold = collector.threshold();
    while (needed > 0 && (rest[needed - 1] as number) < threshold) needed--;
    const first = nextWindow(cursors, needed, from);
    if (first === Number.POSITIVE_INFINITY) return;
    from = first + WINDOW;
    let added = 0;
    let left = expected(cursors, needed) < WORTH_BITS ? -1 : propose(first, threshold);
    if (left < 0) {
      added = addUp(cursors, needed, first, texts, workspace);
      left = gather(first, threshold - (rest[added] as number), workspace);
    }
    for (const [i, cursor] of cursors.entries()) {
      if (i < added || left === 0) continue;
      left = narrow(left, threshold - (rest[i] as number), workspace);
      cursor.place = lookUp(cursor.run, cursor.place, left, texts, workspace);
    }
    for (let i = 0; i < left; i++) {
      const score = workspace.scores[i] as number;
      if (score > 0 && score >= collector.threshold()) collector.offer(workspace.docs[i] as number, score);
    }
  }
}

/** What the word brings to the document at this place of its run. */
export function shareAt(run: WeightedRun, place: number, { lengths, norm }: Texts): number {
  const doc = run.docs[place] as number;
  const stored = run.times[place] as number;
  const times = stored === FULL ? run.exactTimes(doc) : stored;
  return wordShare(run.weight, times, norm.constant + norm.perWord * (lengths[doc] as number));
}

// --- proposing documents by their bits ---

/**
 * Puts the documents of the window that may reach the threshold into the workspace; gives how many, −1 if bits cannot
 * tell. A word that stands once brings exactly what its text's length says, one that is repeated at most its bound.
 */
function createProposer(
  runs: readonly WeightedRun[],
  texts: Texts,
  workspace: Workspace,
): (first: number, threshold: number) => number {
  const { filter, docs, scores, extras } = workspace;
  const bounds = runs.map(({ bound }) => bound * SLACK);
  let bits: readonly DocBits[] | undefined;
  let aimedAt = 0;
  let useful = true;
  return (first, threshold) => {
    if (threshold === Number.NEGATIVE_INFINITY) return -1;
    bits ??= runs.flatMap((run) => run.bits() ?? []);
    if (bits.length < runs.length) return -1;
    if (threshold > aimedAt * WORTH_AIMING) {
      useful = filter.aim(bounds, threshold);
      aimedAt = threshold;
    }
    if (!useful) return -1;
    const passed = filter.pass(bits, first, docs);
    scores.fill(0, 0, passed);
    extras.fill(0, 0, passed);
    for (const [i, { weight }] of runs.entries()) {
      addMost(bits[i] as DocBits, weight, bounds[i] as number, passed, workspace);
    }
    for (let i = 0; i < passed; i++) {
      const norm = texts.norm.constant + texts.norm.perWord * (texts.lengths[docs[i] as number] as number);
      scores[i] = wordShare(scores[i] as number, 1, norm) + (extras[i] as number);
    }
    const promising = narrow(passed, threshold / SLACK, workspace);
    scores.fill(0, 0, promising);
    return promising;
  };
}

/** To each document that holds the word once adds the weight, to each that holds it more often the bound. */
function addMost(
  { present, repeated }: DocBits,
  weight: number,
  bound: number,
  count: number,
  { docs, scores, extras }: Workspace,
): void {
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number;
    const bit = 1 << (doc & 31);
    if (((present[doc >> 5] as number) & bit) === 0) continue;
    if (((repeated[doc >> 5] as number) & bit) === 0) scores[i] = (scores[i] as number) + weight;
    else extras[i] = (extras[i] as number) + bound;
  }
}

// --- proposing documents by adding words up ---

interface Cursor {
  readonly run: WeightedRun;
  readonly perWindow: number;
  place: number;
}

/** Adds the needed runs up, and others too if that is cheaper than looking documents up in them; gives how many. */
function addUp(
  cursors: readonly Cursor[],
  needed: number,
  first: number,
  texts: Texts,
  workspace: Workspace,
): number {
  let added = 0;
  let read = 0;
  for (const cursor of cursors) {
    if (added >= needed && read * LOOK_UP_COST < cursor.perWindow) break;
    const { run } = cursor;
    const start = seek(run.docs, first, cursor.place, run.end);
    cursor.place = accumulate(run, start, first, texts, workspace);
    read += cursor.place - start;
    added++;
  }
  return added;
}

/** Adds the run's shares from `place` to the end of the window; gives the place where the next window goes on. */
function accumulate(
  run: WeightedRun,
  place: number,
  first: number,
  { lengths, norm: { constant, perWord } }: Texts,
  { sums, touched }: Workspace,
): number {
  const { docs, times, end, weight } = run;
  const last = first + WINDOW;
  let i = place;
  for (; i < end; i++) {
    const doc = docs[i] as number;
    if (doc >= last) break;
    const stored = times[i] as number;
    const howOften = stored === FULL ? run.exactTimes(doc) : stored;
    const slot = doc - first;
    const share = wordShare(weight, howOften, constant + perWord * (lengths[doc] as number));
    sums[slot] = (sums[slot] as number) + share;
    touched[slot >> STRETCH] = 1;
  }
  return i;
}

/** Empties the window and keeps the documents whose sum is at least `floor`; gives how many. */
function gather(first: number, floor: number, { sums, touched, docs, scores }: Workspace): number {
  const least = Math.max(floor, Number.MIN_VALUE);
  let count = 0;
  for (let stretch = 0; stretch < touched.length; stretch++) {
    if (touched[stretch] === 0) continue;
    touched[stretch] = 0;
    const end = (stretch + 1) << STRETCH;
    for (let slot = stretch << STRETCH; slot < end; slot++) {
      const sum = sums[slot] as number;
      sums[slot] = 0;
      if (sum >= least) {
        docs[count] = first + slot;
        scores[count] = sum;
        count++;
      }
    }
  }
  return count;
}

// --- what both share ---

/** Drops the gathered documents whose sum is below `floor`; gives how many are left. */
function narrow(count: number, floor: number, { docs, scores }: Workspace): number {
  let left = 0;
  for (let i = 0; i < count; i++) {
    const score = scores[i] as number;
    if (score < floor) continue;
    docs[left] = docs[i] as number;
    scores[left] = score;
    left++;
  }
  return left;
}

/** Adds the run's shares for the gathered documents alone; gives the place it came to. */
function lookUp(
  run: WeightedRun,
  from: number,
  count: number,
  texts: Texts,
  { docs, scores }: Workspace,
): number {
  let place = from;
  for (let i = 0; i < count && place < run.end; i++) {
    const doc = docs[i] as number;
    place = seek(run.docs, doc, place, run.end);
    if (place < run.end && run.docs[place] === doc) {
      scores[i] = (scores[i] as number) + shareAt(run, place, texts);
    }
  }
  return place;
}

/** For each run: what it and all runs after it can add together. */
function restBounds(runs: readonly WeightedRun[]): Float64Array {
  const rest = new Float64Array(runs.length + 1);
  for (let i = runs.length - 1; i >= 0; i--) {
    rest[i] = (rest[i + 1] as number) + (runs[i]?.bound ?? 0) * SLACK;
  }
  return rest;
}

function postingsPerWindow({ docs, start, end }: WeightedRun): number {
  if (end === start) return 0;
  return (WINDOW * (end - start)) / ((docs[end - 1] as number) - (docs[start] as number) + 1);
}

/** How many postings of the needed runs a window holds on average. */
function expected(cursors: readonly Cursor[], needed: number): number {
  return cursors.slice(0, needed).reduce((sum, { perWindow }) => sum + perWindow, 0);
}

/** Where the next window starts, at a multiple of 32: at the first document from `from` on that a needed run holds. */
function nextWindow(cursors: readonly Cursor[], needed: number, from: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (const cursor of cursors.slice(0, needed)) {
    const { docs, end } = cursor.run;
    cursor.place = seek(docs, from, cursor.place, end);
    if (cursor.place < end) first = Math.min(first, docs[cursor.place] as number);
  }
  return first === Number.POSITIVE_INFINITY ? first : first - (first % 32);
}
