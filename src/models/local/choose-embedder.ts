/**
 * Which embedder runs here? The encoder where onnxruntime and the weights can be loaded, else the static table distilled
 * from it, else none, and search is by words only. "Runs" is no guess: each has embedded a word before it is chosen. The
 * choice is never silent: it carries its reason and is always in the trace, and anything less than the encoder that nobody
 * asked for is a warning too (C-29). Asking for one of them by name makes its absence an error.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { MemoryError } from "../../base/errors.ts";
import { silent, type Trace } from "../../base/trace.ts";
import { wrapModel } from "../middleware.ts";
import { traced } from "../traced.ts";
import type { LocalEmbedder } from "./local-embedder.ts";
import {
  BUILT_IN_PACKAGES,
  type BuiltInLanguage,
  findModelPackage,
  LANGUAGE_NAMES,
  type ModelPackage,
} from "./model-package.ts";
import { onnxEmbedder } from "./onnx-embedder.ts";
import { loadOnnxRuntime, type OpenEncoder } from "./onnx-encoder.ts";
import { staticEmbedder } from "./static-embedder.ts";

export type EmbedderKind = "onnx" | "static" | "none";

export interface EmbedderChoice {
  readonly language: BuiltInLanguage;
  readonly active: EmbedderKind;
  /** A sentence for `status`: what runs and, if it is not the best, what would make it better. */
  readonly why: string;
  /** Absent when `active` is "none". */
  readonly embedder?: LocalEmbedder | undefined;
}

export interface ChooseOptions {
  /** "auto" takes the best that is there (default). */
  readonly want?: EmbedderKind | "auto" | undefined;
  readonly threads?: number | undefined;
}

export interface ChooseDeps {
  readonly trace?: Trace | undefined;
  /** For the times of the calls in the trace. */
  readonly clock?: Clock | undefined;
  readonly findPackage?: ((language: BuiltInLanguage) => ModelPackage | undefined) | undefined;
  readonly loadRuntime?: (() => Promise<OpenEncoder>) | undefined;
}

export async function chooseEmbedder(
  language: BuiltInLanguage,
  { want = "auto", threads }: ChooseOptions = {},
  { trace = silent, clock, findPackage = findModelPackage, loadRuntime = loadOnnxRuntime }: ChooseDeps = {},
): Promise<EmbedderChoice> {
  const missing: string[] = [];
  const choice = (active: EmbedderKind, what: string, embedder?: LocalEmbedder): EmbedderChoice => {
    const why = [what, ...new Set(missing)].join(" ");
    trace({ type: "embedder-choose", language, active, why });
    if (missing.length > 0) trace({ type: "warning-raise", code: "missing_dependency", message: why });
    return { language, active, why, embedder };
  };
  const open = async (kind: "onnx" | "static"): Promise<LocalEmbedder> => {
    const model = needPackage(language, findPackage);
    needFile(model, kind === "onnx" ? "model.onnx" : "static.bin");
    const embedder =
      kind === "static"
        ? staticEmbedder(model)
        : onnxEmbedder(model, { threads }, { trace, openEncoder: await loadRuntime() });
    await needWorking(embedder);
    return { ...embedder, ...wrapModel(embedder, traced({ trace, clock })) };
  };
  if (want === "none") return choice("none", "No embedder was asked for; search is by words only.");
  for (const kind of want === "auto" ? (["onnx", "static"] as const) : [want]) {
    try {
      const embedder = await open(kind);
      const runs = kind === "onnx" ? "The encoder runs" : "The static table runs";
      return choice(kind, `${runs}: "${embedder.id}".`, embedder);
    } catch (error) {
      if (want !== "auto" || !MemoryError.is(error) || error.code !== "missing_dependency") throw error;
      missing.push(error.message);
    }
  }
  return choice("none", "Search is by words only.");
}

/** The choices in one line, for `status`. */
export function describeEmbedder(choices: readonly EmbedderChoice[]): string {
  return choices
    .map(({ language, active, why }) => `${LANGUAGE_NAMES[language]} (${active}): ${why}`)
    .join(" ");
}

function needPackage(
  language: BuiltInLanguage,
  findPackage: (language: BuiltInLanguage) => ModelPackage | undefined,
): ModelPackage {
  const model = findPackage(language);
  if (model !== undefined) return model;
  const name = BUILT_IN_PACKAGES[language];
  throw new MemoryError(
    "missing_dependency",
    `The package "${name}" is not installed. Valid: "npm install ${name}".`,
  );
}

function needFile(model: ModelPackage, name: string): void {
  if (existsSync(join(model.directory, name))) return;
  throw new MemoryError(
    "missing_dependency",
    `The package of "${model.id}" has no ${name}. Valid: the package as it was published; install it again.`,
  );
}

/** That the files are there says little: they may be cut short, or a pointer to what was never fetched. */
async function needWorking(embedder: LocalEmbedder): Promise<void> {
  try {
    await embedder.embed([PROBE]);
  } catch (cause) {
    await embedder.close();
    const reason = deepestMessage(cause).replace(/\s+/g, " ");
    throw new MemoryError(
      "missing_dependency",
      `The files of "${embedder.id}" are there but cannot be used (${reason}). Valid: the package as it was published; install it again.`,
      { cause },
    );
  }
}

/** A word that every vocabulary holds. */
const PROBE = "a";

function deepestMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : deepestMessage(error.cause);
}
