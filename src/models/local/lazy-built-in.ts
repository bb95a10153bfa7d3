/**
 * The built-in embedder, each language's opened by the first text that needs it: whoever only looks at what is stored does
 * not wait for weights to be loaded, and who speaks one language never loads the other's. Into which spaces it embeds must be
 * known before that. Where packages and runtime are there as published, they are taken at their word; should a language's
 * encoder then not run, that is told, and its texts and questions have no vector until the next start. Where anything is missing
 * all is opened at once, and what runs is known as always.
 */
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { silent } from "../../base/trace.ts";
import { bilingual, languageOf, spacesFor } from "./bilingual.ts";
import { builtInEmbedder } from "./built-in.ts";
import { type ChooseDeps, chooseEmbedder } from "./choose-embedder.ts";
import type { EmbedderSet, EmbedderSpace } from "./embedder-set.ts";
import type { LocalEmbedder } from "./local-embedder.ts";
import { type BuiltInLanguage, findModelPackage, LANGUAGE_NAMES } from "./model-package.ts";
import { isReadable } from "./readable.ts";

/** A pointer to what was never fetched is smaller. */
const SMALLEST_WEIGHTS = 1_000_000;

export interface LazyEmbedder extends EmbedderSet {
  close(): Promise<void>;
}

export async function lazyBuiltInEmbedder(deps: ChooseDeps = {}): Promise<LazyEmbedder> {
  const spaces = promisedSpaces(deps);
  return spaces === undefined ? builtInEmbedder({}, deps) : openedLater(spaces, deps);
}

function openedLater(spaces: readonly PromisedSpace[], deps: ChooseDeps): LazyEmbedder {
  const { trace = silent } = deps;
  const opening = new Map<BuiltInLanguage, Promise<LocalEmbedder | undefined>>();
  const open = async (language: BuiltInLanguage): Promise<LocalEmbedder | undefined> => {
    try {
      return (await chooseEmbedder(language, { want: "onnx" }, deps)).embedder;
    } catch (error) {
      if (!MemoryError.is(error) || error.code !== "missing_dependency") throw error;
      const message = `${LANGUAGE_NAMES[language]} is found by its words only. ${error.message}`;
      trace({ type: "warning-raise", code: error.code, message });
      return undefined;
    }
  };
  /** What reads these languages; where one cannot be opened, its texts have no vector. */
  const reading = async (languages: ReadonlySet<BuiltInLanguage>): Promise<EmbedderSet> => {
    const members: Partial<Record<BuiltInLanguage, LocalEmbedder | undefined>> = {};
    for (const language of languages) {
      const embedder = opening.get(language) ?? open(language);
      opening.set(language, embedder);
      members[language] = await embedder;
    }
    return bilingual(members);
  };
  const embedDocuments: EmbedderSet["embedDocuments"] = async (texts, options) =>
    (await reading(new Set(texts.filter(isReadable).map(languageOf)))).embedDocuments(texts, options);
  return {
    spaces,
    embedDocuments,
    embedDocument: async (text, options) => (await embedDocuments([text], options))[0],
    async embedQuery(text, options = {}) {
      if (!isReadable(text)) return [];
      const wanted = spacesFor(text, spaces, options.spaces);
      return (await reading(new Set(wanted.map(({ language }) => language)))).embedQuery(text, options);
    },
    async close() {
      const opened = await Promise.allSettled(opening.values());
      for (const one of opened) if (one.status === "fulfilled") await one.value?.close();
    },
  };
}

interface PromisedSpace extends EmbedderSpace {
  readonly language: BuiltInLanguage;
}

/** undefined: what would run here cannot be told without trying. */
function promisedSpaces({ findPackage = findModelPackage }: ChooseDeps): PromisedSpace[] | undefined {
  if (!isInstalled("onnxruntime-node")) return undefined;
  const spaces = (["en", "zh"] as const).flatMap((language): PromisedSpace[] => {
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
