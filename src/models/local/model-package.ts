/**
 * Where do the weights live? A model package is a folder of data, published on its own so that the core stays small:
 * `model.json` (what it is), `vocab.txt` (one token per line), `model.onnx` (the encoder) and `static.bin` (the table
 * distilled from it).
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { parseInput } from "../../base/parse-input.ts";
import { type WordPiece, wordPiece } from "./word-piece.ts";

export const BUILT_IN_PACKAGES = { en: "@neuromem/embed-en", zh: "@neuromem/embed-zh" } as const;

export type BuiltInLanguage = keyof typeof BUILT_IN_PACKAGES;

export const LANGUAGE_NAMES = { en: "English", zh: "Chinese" } as const;

const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** Name of the encoder's vector space. */
  id: z.string().min(1),
  language: z.enum(["en", "zh"]),
  dimension: z.int().positive(),
  /** Tokens the encoder reads at once, frame included. */
  maxTokens: z.int().min(8),
  lowercase: z.boolean(),
  /** Put before queries, never before documents. */
  queryInstruction: z.string(),
  /** The table in static.bin: a vector space of its own. */
  static: z.strictObject({ id: z.string().min(1), dimension: z.int().positive() }),
});

export interface ModelPackage extends Readonly<z.infer<typeof manifestSchema>> {
  readonly directory: string;
}

/** The installed package of a language, or undefined where it is not installed. */
export function findModelPackage(language: BuiltInLanguage): ModelPackage | undefined {
  const require = createRequire(import.meta.url);
  let manifest: string;
  try {
    manifest = require.resolve(`${BUILT_IN_PACKAGES[language]}/model.json`);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
  return openModelPackage(dirname(manifest));
}

export function openModelPackage(directory: string): ModelPackage {
  const path = join(directory, "model.json");
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return { ...parseInput(manifestSchema, manifest, `model package at ${path}`, "option_invalid"), directory };
}

export function openTokenizer({ directory, lowercase }: ModelPackage): WordPiece {
  const text = readPackageFile(directory, "vocab.txt").toString("utf8");
  return wordPiece({ vocabulary: text.replace(/\n$/, "").split("\n"), lowercase });
}

export function readPackageFile(directory: string, name: string): Buffer {
  const path = join(directory, name);
  try {
    return readFileSync(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): MemoryError {
  return new MemoryError(
    "missing_dependency",
    `The model file ${path} cannot be read. Valid: a model package as it was published; install it again.`,
    { cause },
  );
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND";
}
