/**
 * The built-in embedder, opened by the first text: whoever only looks at what is stored does not wait for weights to be
 * loaded. Into which spaces it embeds must be known before that. Where packages and runtime are there as published, they
 * are taken at their word; should an encoder then not run, that is told, and search is by words until the next start. Where
 * anything is missing it is opened at once, and what runs is known as always.
 */
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { silent } from "../../base/trace.ts";
import { type BuiltInEmbedder, builtInEmbedder } from "./built-in.ts";
import type { ChooseDeps } from "./choose-embedder.ts";
import type { EmbedderSet, EmbedderSpace } from "./embedder-set.ts";
import { findModelPackage } from "./model-package.ts";

/** A pointer to what was never fetched is smaller. */
const SMALLEST_WEIGHTS = 1_000_000;

export interface LazyEmbedder extends EmbedderSet {
  close(): Promise<void>;
}

export async function lazyBuiltInEmbedder(deps: ChooseDeps = {}): Promise<LazyEmbedder> {
  const spaces = promisedSpaces(deps);
  return spaces === undefined ? builtInEmbedder({}, deps) : openedLater(spaces, deps);
}

function openedLater(spaces: readonly EmbedderSpace[], deps: ChooseDeps): LazyEmbedder {
  const { trace = silent } = deps;
  let opening: Promise<BuiltInEmbedder | undefined> | undefined;
  const opened = (): Promise<BuiltInEmbedder | undefined> => {
    opening ??= builtInEmbedder({ want: "onnx" }, deps).catch((error: unknown) => {
      if (!MemoryError.is(error) || error.code !== "missing_dependency") throw error;
      trace({
        type: "warning-raise",
        code: error.code,
        message: `Search is by words only. ${error.message}`,
      });
      return undefined;
    });
    return opening;
  };
  const embedDocuments: EmbedderSet["embedDocuments"] = async (texts, options) =>
    (await opened())?.embedDocuments(texts, options) ?? texts.map(() => undefined);
  return {
    spaces,
    embedDocuments,
    embedDocument: async (text, options) => (await embedDocuments([text], options))[0],
    embedQuery: async (text, options) => (await opened())?.embedQuery(text, options) ?? [],
    async close() {
      await (await opening)?.close();
    },
  };
}

/** undefined: what would run here cannot be told without trying. */
function promisedSpaces({ findPackage = findModelPackage }: ChooseDeps): EmbedderSpace[] | undefined {
  if (!isInstalled("onnxruntime-node")) return undefined;
  const spaces = (["en", "zh"] as const).flatMap((language): EmbedderSpace[] => {
    const model = findPackage(language);
    if (model === undefined) return [];
    const weights = statSync(join(model.directory, "model.onnx"), { throwIfNoEntry: false });
    if (weights === undefined || weights.size < SMALLEST_WEIGHTS) return [];
    return [{ space: model.id, dimension: model.dimension, language }];
  });
  return spaces.length === 2 ? spaces : undefined;
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return false;
    throw error;
  }
}
