/**
 * Which embedder runs here? The encoder where onnxruntime can be loaded, else the static table distilled from it, else
 * none, and search is by words only. The choice is never silent: it carries its reason, and anything less than the
 * encoder is a trace warning (C-29). Asking for one of them by name makes its absence an error.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { silent, type Trace } from "../../base/trace.ts";
import type { LocalEmbedder } from "./local-embedder.ts";
import {
  BUILT_IN_PACKAGES,
  type BuiltInLanguage,
  findModelPackage,
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
  readonly findPackage?: ((language: BuiltInLanguage) => ModelPackage | undefined) | undefined;
  readonly loadRuntime?: (() => Promise<OpenEncoder>) | undefined;
}

export async function chooseEmbedder(
  language: BuiltInLanguage,
  { want = "auto", threads }: ChooseOptions = {},
  { trace = silent, findPackage = findModelPackage, loadRuntime = loadOnnxRuntime }: ChooseDeps = {},
): Promise<EmbedderChoice> {
  if (want === "none") {
    return { language, active: "none", why: "No embedder was asked for; search is by words only." };
  }
  const open = async (kind: "onnx" | "static"): Promise<LocalEmbedder> => {
    const model = needPackage(language, findPackage);
    needFile(model, kind === "onnx" ? "model.onnx" : "static.bin");
    if (kind === "static") return staticEmbedder(model);
    return onnxEmbedder(model, { threads }, { trace, openEncoder: await loadRuntime() });
  };
  const missing: string[] = [];
  const choice = (active: EmbedderKind, what: string, embedder?: LocalEmbedder): EmbedderChoice => {
    const why = [what, ...new Set(missing)].join(" ");
    if (missing.length > 0) trace({ type: "warning-raise", code: "missing_dependency", message: why });
    return { language, active, why, embedder };
  };
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
