/**
 * Vectors of a list of texts, made once: they are kept in a folder outside the project, in pieces named by the hash of
 * what decides them (weights, vocabulary, settings, texts), so a run that was stopped goes on, a rerun is quick, and
 * other weights under the same name are never scored with the vectors of the old ones.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embedMany } from "../../src/models/embed-many.ts";
import type { LocalEmbedder } from "../../src/models/local/local-embedder.ts";
import { readPackageFile } from "../../src/models/local/model-package.ts";

export interface CacheOptions {
  readonly as?: "query" | "document";
  readonly folder?: string;
  readonly onProgress?: (done: number, total: number) => void;
}

export const CACHE_FOLDER = join(tmpdir(), "neuromem-vectors");
const PIECE = 2_048;

export async function cachedVectors(
  embedder: LocalEmbedder,
  texts: readonly string[],
  { as = "document", folder = CACHE_FOLDER, onProgress }: CacheOptions = {},
): Promise<Float32Array[]> {
  // Quicker made than read, and the table may have been distilled anew under the same name.
  if (embedder.kind === "static") return embedMany(embedder, texts, { as });
  mkdirSync(folder, { recursive: true });
  const source = sourceOf(embedder);
  const out: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += PIECE) {
    const piece = texts.slice(at, at + PIECE);
    const key = createHash("sha256")
      .update(JSON.stringify([source, as, piece]))
      .digest("hex");
    const path = join(folder, `${key.slice(0, 32)}.f32`);
    if (!existsSync(path)) {
      const vectors = await embedMany(embedder, piece, { as });
      writeFileSync(
        `${path}.part`,
        Buffer.concat(vectors.map((v) => Buffer.from(v.buffer, v.byteOffset, v.byteLength))),
      );
      renameSync(`${path}.part`, path);
    }
    const bytes = readFileSync(path);
    for (let i = 0; i < piece.length; i++) {
      const start = bytes.byteOffset + 4 * i * embedder.dimension;
      out.push(new Float32Array(bytes.buffer.slice(start, start + 4 * embedder.dimension)));
    }
    onProgress?.(out.length, texts.length);
  }
  return out;
}

const sources = new WeakMap<LocalEmbedder, string>();

/** Hash of the files and settings of an embedder: read once, as the embedder itself loads them once. */
function sourceOf(embedder: LocalEmbedder): string {
  const known = sources.get(embedder);
  if (known !== undefined) return known;
  const { directory, ...manifest } = embedder.model;
  const hash = createHash("sha256").update(JSON.stringify(manifest));
  for (const name of ["model.onnx", "vocab.txt"]) hash.update(readPackageFile(directory, name));
  const source = hash.digest("hex");
  sources.set(embedder, source);
  return source;
}
