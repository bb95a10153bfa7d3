/**
 * Is a walk from a few seeds cheaper than one over the whole graph? Personalised PageRank by forward push against power
 * iteration, both over the same rows, both walking edges both ways; the twenty best nodes must be the same.
 */
import { type Random, seededRandom } from "../../src/base/random.ts";
import { adjacencyOf, buildCsr, type Csr, orientCsr } from "../../src/math/csr.ts";
import { createPushScratch, forwardPush, powerIteration, type WalkSeeds } from "../../src/math/pagerank.ts";
import { createTopK } from "../../src/math/top-k.ts";
import { takeTurns } from "../measure.ts";
import { atLeast, figure, type Row } from "../report.ts";
import type { Bench } from "./bench.ts";

const EDGES_PER_NODE = 10;
const WALKS = 40;
const SEEDS = 3;
const TOP = 20;
/** A common stopping point of power iteration; the truth for the overlap is taken far beyond it. */
const TOLERANCE = 1e-6;
/** Half of the edges go where edges went before: few nodes get many, as names do in a memory. */
const COPIED = 0.5;

export async function benchWalk(bench: Bench): Promise<Row[]> {
  const { size } = bench;
  const random = seededRandom(7);
  const graph = orientCsr(growGraph(size, random), "both");
  const adjacency = adjacencyOf(graph, { direction: "out" });
  const scratch = createPushScratch();
  const walks = Array.from({ length: WALKS }, () => pickSeeds(size, random));
  const seedsOf = (task: number): WalkSeeds => walks[task % WALKS] ?? { nodes: [0], weights: [1] };
  const push = (seeds: WalkSeeds) => forwardPush(adjacency, seeds, {}, scratch);

  const ms = await takeTurns(WALKS, 3, {
    power: { run: (task) => powerIteration(graph, seedsOf(task), { tolerance: TOLERANCE }) },
    push: { run: (task) => push(seedsOf(task)), times: 3 },
  });
  let same = 0;
  let wanted = 0;
  for (const seeds of walks) {
    const truth = new Set(best(powerIteration(graph, seeds)));
    const { nodes, scores } = push(seeds);
    for (const place of best(scores)) if (truth.has(nodes[place] as number)) same++;
    wanted += truth.size;
  }
  const what = `PPR, ${figure(size)} nodes, ${figure(size * EDGES_PER_NODE)} edges, forward push`;
  return [
    {
      what: `${what} against power iteration`,
      value: ms("power") / ms("push"),
      bar: atLeast(30, "×"),
      measured: `${figure(ms("push"))} ms, power iteration ${figure(ms("power"))} ms to ${TOLERANCE}`,
    },
    {
      what: `${what}, top-${TOP} overlap with power iteration`,
      value: same / wanted,
      bar: atLeast(0.98, ""),
      measured: `${same} of ${wanted} nodes over ${WALKS} walks, power iteration run to 1e-10`,
    },
  ];
}

function growGraph(nodes: number, random: Random): Csr {
  const edges = nodes * EDGES_PER_NODE;
  const from = new Int32Array(edges);
  const to = new Int32Array(edges);
  for (let edge = 0; edge < edges; edge++) {
    from[edge] = Math.floor(edge / EDGES_PER_NODE);
    const copies = edge > 0 && random.next() < COPIED;
    to[edge] = copies ? (to[Math.floor(random.next() * edge)] as number) : Math.floor(random.next() * nodes);
  }
  return buildCsr({ nodes, from, to });
}

function pickSeeds(nodes: number, random: Random): WalkSeeds {
  const seeds = new Set<number>();
  while (seeds.size < SEEDS) seeds.add(Math.floor(random.next() * nodes));
  return { nodes: [...seeds], weights: Array.from(seeds, () => 0.5 + random.next()) };
}

/** Places of the greatest scores. */
function best(scores: Float64Array): Int32Array {
  const top = createTopK(TOP, (a, b) => a < b);
  for (let place = 0; place < scores.length; place++) top.push(place, scores[place] as number);
  return top.drain().items;
}
