/**
 * Is HippoRAG 2's graph what the paper's rules make of the recorded triples? The passages are lived through by the preset once
 * more, into a file that stays; its sizes are counted there and by the rules, and a sample of its synonyms is looked up. What
 * was found is kept beside the runs, so that a finished run is not done again.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { systemClock } from "../../src/base/clock.ts";
import { openDataset } from "../../src/lab/datasets/open-dataset.ts";
import { labEmbedder } from "../../src/lab/run/lab-embedder.ts";
import { openCase, SCOPE } from "../../src/lab/run/open-case.ts";
import { recordedModel } from "../../src/lab/run/recorded-model.ts";
import { presetHash } from "../../src/lab/tune/preset-hash.ts";
import type { EmbedderSet } from "../../src/models/local/embedder-set.ts";
import { loadPreset } from "../../src/preset/load.ts";
import { openPreset } from "../../src/preset/open.ts";
import type { Preset } from "../../src/preset/preset.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite-storage.ts";
import { inTemporaryFolder } from "../pipeline/temporary-folder.ts";
import { atMost, type Row } from "../report.ts";
import { countByRules, graphSizes } from "./hippo-graph.ts";
import { checkSynonyms } from "./hippo-synonyms.ts";

const PRESET = "hipporag2";
const FILE = "graph.json";

const sizes = z.record(z.string(), z.number());
const foundSchema = z.object({
  /** Of what it was found. */
  identity: z.object({ dataset: z.string(), preset: z.string() }),
  stored: sizes,
  expected: sizes,
  synonyms: z.object({
    checked: z.number(),
    expected: z.number(),
    missing: z.number(),
    beyond: z.number(),
  }),
});
type Found = z.infer<typeof foundSchema>;

export interface GraphCheckOptions {
  /** The folder of the runs, and that of the vectors. */
  readonly out: string;
  readonly cache: string;
  readonly isFresh: boolean;
}

/** No row where nothing was recorded of the data set. */
export async function graphRows(spec: string, options: GraphCheckOptions): Promise<Row[]> {
  const dataset = await openDataset(spec);
  const [one] = dataset.cases;
  if (one === undefined || dataset.recorded === undefined) return [];
  const { recorded } = dataset;
  const preset = await loadPreset(PRESET);
  const identity = { dataset: dataset.hash, preset: presetHash(preset) };
  const file = join(options.out, FILE);
  const known = options.isFresh ? undefined : await readFound(file, identity);
  if (known !== undefined) return [rowOf(known)];
  const embedder = await labEmbedder(preset, options);
  try {
    if (embedder.set === undefined) throw new Error("There is no built-in embedder.");
    const { set } = embedder;
    const counted = await inTemporaryFolder(async (folder) => {
      const model = recordedModel(one.turns, recorded);
      const lived = await openCase(one, { preset, embedder: set, model, folder });
      try {
        await lived.live(one.turns.length);
      } finally {
        await lived.close();
      }
      return await countedIn(join(folder, "memory.db"), preset, set);
    });
    const documents = one.turns.map(({ ref }) => ({ extracted_triples: recorded.get(ref)?.triples ?? [] }));
    const found: Found = { identity, ...counted, expected: { ...countByRules(documents) } };
    await writeFile(file, `${JSON.stringify(found, null, 2)}\n`);
    return [rowOf(found)];
  } finally {
    await embedder.close();
  }
}

async function countedIn(
  path: string,
  preset: Preset,
  embedder: EmbedderSet,
): Promise<Pick<Found, "stored" | "synonyms">> {
  const storage = await openSqlite(path, { clock: systemClock });
  try {
    const memory = await openPreset(preset, { storage, embedder });
    const { collection } = memory.service;
    await memory.close();
    return {
      stored: { ...(await graphSizes(storage, SCOPE, collection)) },
      synonyms: await checkSynonyms(storage, SCOPE, collection, embedder),
    };
  } finally {
    await storage.close();
  }
}

/** What an earlier one found of the same passages and the same preset. */
async function readFound(file: string, identity: Found["identity"]): Promise<Found | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const found = text === undefined ? undefined : foundSchema.parse(JSON.parse(text));
  const isSame = found?.identity.dataset === identity.dataset && found.identity.preset === identity.preset;
  return isSame ? found : undefined;
}

function rowOf({ stored, expected, synonyms }: Found): Row {
  const differing = Object.keys(expected).filter((name) => stored[name] !== expected[name]).length;
  const { passages, phrases, facts, context, pairs } = stored;
  return {
    what: `the graph of ${PRESET} on recorded triples: sizes that are not those of the paper's rules, and synonyms of sampled names that are missing or too many`,
    value: differing + synonyms.missing + synonyms.beyond,
    bar: atMost(0, "differences"),
    measured: `${passages} passages, ${phrases} phrases, ${facts} facts, ${context} edges to phrases, ${pairs} pairs; ${synonyms.expected} synonyms of ${synonyms.checked} names`,
  };
}
