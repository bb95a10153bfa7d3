/**
 * What does a text mean, without running a model? The sum of its tokens' rows in a table that was distilled from the
 * encoder (Tulkens & van Dongen, Model2Vec, 2024; weights after Arora et al., A Simple but Tough-to-Beat Baseline for
 * Sentence Embeddings, 2017): microseconds per text, pure JavaScript, some nine tenths of the encoder's recall. Word order
 * is lost, and so is most of what a word means only in its sentence. `docs/decisions` tells how the table was made.
 */
import { MemoryError } from "../../base/errors.ts";
import { throwIfAborted } from "../abort.ts";
import { NO_USAGE } from "../model.ts";
import { unitVector } from "../unit-vector.ts";
import { type LocalEmbedder, nothingToEmbed } from "./local-embedder.ts";
import { type ModelPackage, openTokenizer, readPackageFile } from "./model-package.ts";
import { phraseRows } from "./phrase-rows.ts";
import { decodeStaticTable } from "./static-table.ts";

const FILE = "static.bin";
const MAX_BATCH = 1_024;

export function staticEmbedder(model: ModelPackage): LocalEmbedder {
  const { id, dimension } = model.static;
  let loaded: EmbedText | undefined;
  return {
    id,
    provider: "local",
    kind: "static",
    model,
    dimension,
    maxBatch: MAX_BATCH,
    async embed(texts, { signal, onUsage } = {}) {
      throwIfAborted(signal, "The embedding");
      if (texts.length === 0) return [];
      loaded ??= open(model);
      const embedText = loaded;
      const vectors = texts.map((text, index) => {
        const sum = embedText(text);
        if (sum === undefined) throw nothingToEmbed(id, index);
        return unitVector(id, sum);
      });
      onUsage?.(NO_USAGE);
      return vectors;
    },
    async close() {
      loaded = undefined;
    },
  };
}

/** The sum of the rows; undefined for a text without tokens. */
type EmbedText = (text: string) => Float32Array | undefined;

function open(model: ModelPackage): EmbedText {
  const tokenizer = openTokenizer(model);
  const table = decodeStaticTable(readPackageFile(model.directory, FILE), `${model.directory}/${FILE}`);
  const { dimension, rowOfToken, scales, codes } = table;
  if (dimension !== model.static.dimension || rowOfToken.length !== tokenizer.tokens.length) {
    throw new MemoryError(
      "option_invalid",
      `The table ${FILE} of "${model.id}" does not fit its model.json and vocab.txt. Valid: the files of one published package; install it again.`,
    );
  }
  const phrases = table.phrases.map((phrase) => tokenizer.encode(phrase));
  const rows = phraseRows(rowOfToken, phrases, scales.length - phrases.length);
  return (text) => {
    const ids = tokenizer.encode(text);
    if (ids.length === 0) return undefined;
    const sum = new Float32Array(dimension);
    rows.forEach(ids, (row) => {
      const scale = scales[row] as number;
      const start = row * dimension;
      for (let i = 0; i < dimension; i++) {
        sum[i] = (sum[i] as number) + scale * (codes[start + i] as number);
      }
    });
    return sum;
  };
}
