/**
 * What else comes to mind? Activation starts at the seeds and travels along edges, weaker with every hop: a neighbour
 * gets activation × decay × weight (Collins & Loftus, "A spreading-activation theory of semantic processing", 1975;
 * BIEM spreads 2 hops with decay 0.5, S4-17). Which way edges are walked is the graph's choice: both ways unless told
 * otherwise (C-35).
 *
 * A hop moves all active nodes at once, so the answer does not depend on how nodes are numbered or rows are ordered.
 */
import { type Adjacency, createRow } from "./csr.ts";
import type { WalkSeeds } from "./pagerank.ts";

export interface SpreadOptions {
  readonly hops?: number | undefined;
  readonly decay?: number | undefined;
  /** Where several ways lead to a node: `max` keeps the strongest, `sum` adds up what every walk brings. */
  readonly combine?: "max" | "sum" | undefined;
  /** What would arrive with less than this is dropped. */
  readonly threshold?: number | undefined;
}

/** The nodes that were reached, in no particular order. */
export interface Activations {
  readonly nodes: Int32Array;
  readonly activations: Float64Array;
  /** `max`: the length of the strongest way, the shortest of equals; `sum`: of the shortest way. 0 for a seed. */
  readonly hops: Int32Array;
}

export const SPREAD_DEFAULTS = { hops: 2, decay: 0.5, combine: "max", threshold: 0.01 } as const;

/** Memory kept from walk to walk, all zero between two: per node its activation, what arrives in this hop, its hops + 1. */
export interface SpreadScratch {
  cells: Float64Array;
}

export function createSpreadScratch(): SpreadScratch {
  return { cells: new Float64Array(0) };
}

/** Seeds bring their activation as weights; those without any are left out. */
export function spreadActivation(
  graph: Adjacency,
  seeds: WalkSeeds,
  options: SpreadOptions = {},
  scratch: SpreadScratch = createSpreadScratch(),
): Activations {
  const { hops = SPREAD_DEFAULTS.hops, decay = SPREAD_DEFAULTS.decay } = options;
  const { combine = SPREAD_DEFAULTS.combine, threshold = SPREAD_DEFAULTS.threshold } = options;
  if (scratch.cells.length < STRIDE * graph.nodes) scratch.cells = new Float64Array(STRIDE * graph.nodes);
  const cells = scratch.cells;
  const touched: number[] = [];
  const arrive = combine === "max" ? arriveStrongest : arriveTogether;
  const row = createRow();
  let wave = sow(seeds, cells, touched);
  for (let hop = 1; hop <= hops && wave.nodes.length > 0; hop++) {
    const arrived: number[] = [];
    for (let i = 0; i < wave.nodes.length; i++) {
      graph.neighbors(wave.nodes[i] as number, row);
      const sent = decay * (wave.activations[i] as number);
      for (let edge = 0; edge < row.length; edge++) {
        const arriving = Math.min(sent * (row.weights[edge] as number), CEILING);
        arrive(row.targets[edge] as number, arriving, cells, arrived);
      }
    }
    wave = settle(arrived, { cells, touched, hop, threshold, combine });
  }
  return harvest(touched, cells);
}

const STRIDE = 3;
const ACTIVATION = 0;
const ARRIVING = 1;
const HOPS = 2;

/** No activation grows beyond this, however heavy the edges: it stays finite. */
const CEILING = 2 ** 100;

/** Sums of multiples of 2⁻⁴⁰ are exact, in any order, up to 8192. */
const GRAIN = 2 ** 40;

interface Wave {
  readonly nodes: number[];
  readonly activations: number[];
}

interface Hop {
  readonly cells: Float64Array;
  readonly touched: number[];
  readonly hop: number;
  readonly threshold: number;
  readonly combine: "max" | "sum";
}

function sow(seeds: WalkSeeds, cells: Float64Array, touched: number[]): Wave {
  const wave: Wave = { nodes: [], activations: [] };
  for (let i = 0; i < seeds.nodes.length; i++) {
    const node = seeds.nodes[i] as number;
    const activation = seeds.weights[i] as number;
    if (activation <= 0) continue;
    cells[STRIDE * node + ACTIVATION] = activation;
    cells[STRIDE * node + HOPS] = 1;
    touched.push(node);
    wave.nodes.push(node);
    wave.activations.push(activation);
  }
  return wave;
}

function arriveStrongest(node: number, activation: number, cells: Float64Array, arrived: number[]): void {
  const cell = STRIDE * node + ARRIVING;
  const before = cells[cell] as number;
  if (activation <= before) return;
  if (before === 0) arrived.push(node);
  cells[cell] = activation;
}

function arriveTogether(node: number, activation: number, cells: Float64Array, arrived: number[]): void {
  const cell = STRIDE * node + ARRIVING;
  const before = cells[cell] as number;
  const rounded = Math.round(activation * GRAIN) / GRAIN;
  if (before === 0 && rounded > 0) arrived.push(node);
  cells[cell] = before + rounded;
}

/** Ends a hop: what is strong enough becomes the nodes' activation; returns what travels on. */
function settle(arrived: readonly number[], { cells, touched, hop, threshold, combine }: Hop): Wave {
  const wave: Wave = { nodes: [], activations: [] };
  for (const node of arrived) {
    const cell = STRIDE * node;
    const arriving = cells[cell + ARRIVING] as number;
    const before = cells[cell + ACTIVATION] as number;
    cells[cell + ARRIVING] = 0;
    if (arriving < threshold || (combine === "max" && arriving <= before)) continue;
    const isNew = cells[cell + HOPS] === 0;
    if (isNew) touched.push(node);
    if (isNew || combine === "max") cells[cell + HOPS] = hop + 1;
    cells[cell + ACTIVATION] = combine === "max" ? arriving : before + arriving;
    wave.nodes.push(node);
    wave.activations.push(arriving);
  }
  return wave;
}

/** Reads the activations off the cells and wipes those the walk touched. */
function harvest(touched: readonly number[], cells: Float64Array): Activations {
  const nodes = Int32Array.from(touched);
  const activations = new Float64Array(nodes.length);
  const hops = new Int32Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) {
    const cell = STRIDE * (nodes[i] as number);
    activations[i] = cells[cell + ACTIVATION] as number;
    hops[i] = (cells[cell + HOPS] as number) - 1;
    cells.fill(0, cell, cell + STRIDE);
  }
  return { nodes, activations, hops };
}
