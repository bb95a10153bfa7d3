/**
 * HippoRAG on real extractions: the names and triples that a model once read out of the 1,890 passages of MuSiQue-train are
 * replayed as the model, through the presets' own pipeline. Is the graph as large as the paper's rules say, and how many of
 * the passages that a question needs are among the first two and five, beside BM25, nearness and their mix?
 *
 *   node bench/presets/musique.ts --data DIR
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../src/base/clock.ts";
import { parseScope } from "../../src/base/scope.ts";
import { minMax } from "../../src/math/min-max.ts";
import { chooseEmbedder } from "../../src/models/local/choose-embedder.ts";
import type { EmbedderSet } from "../../src/models/local/embedder-set.ts";
import { appendTurns } from "../../src/pipeline/journal.ts";
import { loadPreset } from "../../src/preset/load.ts";
import { type OpenPreset, openPreset } from "../../src/preset/open.ts";
import { derive } from "../../src/runtime/derive.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { rank, recallAt } from "../models/recall.ts";
import { countByRules, type GraphSizes, graphSizes } from "./hippo-graph.ts";
import { checkSynonyms, type SynonymCheck } from "./hippo-synonyms.ts";
import { loadMusique, type Musique, recordedEmbedder, recordedModel } from "./musique-data.ts";

const SCOPE = parseScope("musique");
const CUTS = [2, 5] as const;

export interface Recall {
  readonly r2: number;
  readonly r5: number;
}

export interface MusiqueNumbers {
  readonly bm25: Recall;
  readonly dense: Recall;
  readonly mix: Recall;
  readonly hipporag: Recall;
  readonly hipporag2: Recall;
  /** What HippoRAG 2 is above the best of the three, in points of R@5. */
  readonly lead: number;
  /** Counted in the store, and by the paper's rules over the recording. */
  readonly graph: { readonly stored: GraphSizes; readonly expected: GraphSizes };
  /** Of a sample of names: are those that are alike joined, and no others? */
  readonly synonyms: SynonymCheck;
  readonly ingestSeconds: { readonly hipporag: number; readonly hipporag2: number };
  readonly queryMs: { readonly hipporag: number; readonly hipporag2: number };
}

export async function musique(dataFolder: string, say: (line: string) => void): Promise<MusiqueNumbers> {
  const data = loadMusique(dataFolder);
  const { embedder: local } = await chooseEmbedder("en");
  if (local === undefined) throw new Error("There is no built-in embedder for English");
  say("embedding, where it is not done yet …");
  const embedder = await recordedEmbedder(data, local, say);
  const first = await withPreset("hipporag", data, embedder, say, async () => ({}));
  const second = await withPreset("hipporag2", data, embedder, say, async (memory, storage) => {
    const lists = await baselines(memory, data, embedder);
    const { collection } = memory.service;
    const synonyms = await checkSynonyms(storage, SCOPE, collection, embedder);
    return { lists, synonyms, sizes: await graphSizes(storage, SCOPE, collection) };
  });
  const judge = (rankings: readonly (readonly number[])[]): Recall => {
    const judged = data.questions.map(({ relevant }, place) => ({
      relevant,
      ranking: rankings[place] ?? [],
    }));
    const [r2, r5] = CUTS.map((k) => recallAt(k, judged));
    return { r2: r2 ?? 0, r5: r5 ?? 0 };
  };
  const { bm25, dense, mix } = second.more.lists;
  const numbers = {
    bm25: judge(bm25),
    dense: judge(dense),
    mix: judge(mix),
    hipporag: judge(first.rankings),
    hipporag2: judge(second.rankings),
  };
  for (const [name, { r2, r5 }] of Object.entries(numbers))
    say(`${name}: R@2 ${r2.toFixed(1)}, R@5 ${r5.toFixed(1)}`);
  const expected = countByRules(data.documents);
  say(`graph stored ${JSON.stringify(second.more.sizes)}, by the rules ${JSON.stringify(expected)}`);
  say(`synonyms of a sample of names ${JSON.stringify(second.more.synonyms)}`);
  await local.close();
  return {
    ...numbers,
    lead: numbers.hipporag2.r5 - Math.max(numbers.bm25.r5, numbers.dense.r5, numbers.mix.r5),
    graph: { stored: second.more.sizes, expected },
    synonyms: second.more.synonyms,
    ingestSeconds: { hipporag: first.seconds, hipporag2: second.seconds },
    queryMs: { hipporag: first.queryMs, hipporag2: second.queryMs },
  };
}

interface PresetRun<More> {
  /** Places of the passages found, best first, by question. */
  readonly rankings: readonly (readonly number[])[];
  readonly seconds: number;
  readonly queryMs: number;
  readonly more: More;
}

/** What was said is taken up with the recorded model; questions find nobody to ask, as nothing is recorded for them. */
async function withPreset<More>(
  name: string,
  data: Musique,
  embedder: EmbedderSet,
  say: (line: string) => void,
  then: (memory: OpenPreset, storage: Storage) => Promise<More>,
): Promise<PresetRun<More>> {
  const preset = await loadPreset(name);
  const folder = await mkdtemp(join(tmpdir(), "neuromem-musique-"));
  const storage = await openSqlite(join(folder, "memory.db"), { clock: systemClock });
  try {
    const turns = data.documents.map(({ passage }, place) => ({ text: passage, metadata: { place } }));
    await appendTurns(storage, SCOPE, turns, systemClock);
    const start = performance.now();
    const writing = await openPreset(preset, { storage, model: recordedModel(data), embedder });
    await derive(writing, storage, SCOPE, { finish: true });
    await writing.close();
    const seconds = (performance.now() - start) / 1000;
    say(`${name}: ${data.documents.length} passages in ${seconds.toFixed(1)} s`);
    const memory = await openPreset(preset, { storage, embedder });
    const rankings: number[][] = [];
    await ask(memory, data, 0);
    const asked = performance.now();
    for (const place of data.questions.keys()) rankings.push(await ask(memory, data, place));
    const queryMs = (performance.now() - asked) / data.questions.length;
    const more = await then(memory, storage);
    await memory.close();
    return { rankings, seconds, queryMs, more };
  } finally {
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function ask(memory: OpenPreset, { questions, places }: Musique, place: number): Promise<number[]> {
  const text = questions[place]?.text ?? "";
  const { hits } = await memory.retrieve(SCOPE, { text, topK: 10 });
  return hits.map(({ content }) => places.get(content) ?? -1);
}

/** By words, by nearness, and by the sum of both, each scaled to 0 … 1 and half of it. */
async function baselines({ service }: OpenPreset, data: Musique, embedder: EmbedderSet) {
  const topK = data.documents.length;
  const lists = { bm25: [] as number[][], dense: [] as number[][], mix: [] as number[][] };
  for (const { text } of data.questions) {
    const vectors = await embedder.embedQuery(text);
    const scores = async (strategy: "lexical" | "semantic"): Promise<number[]> => {
      const out = new Array<number>(topK).fill(0);
      const hits = await service.retrieve(SCOPE, { text, vectors, topK, touch: false, hints: { strategy } });
      for (const { content, score } of hits) out[data.places.get(content) ?? 0] = score;
      return out;
    };
    const [words, sense] = [await scores("lexical"), await scores("semantic")];
    const [a, b] = [minMax(words, 0), minMax(sense, 0)];
    lists.bm25.push(rank(words));
    lists.dense.push(rank(sense));
    lists.mix.push(rank(a.map((value, place) => (value + (b[place] ?? 0)) / 2)));
  }
  return lists;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { data: { type: "string" } } });
  if (values.data === undefined) throw new Error("Say where the data is: --data DIR");
  const numbers = await musique(values.data, (line) => process.stderr.write(`${line}\n`));
  process.stdout.write(`${JSON.stringify(numbers, null, 2)}\n`);
}
