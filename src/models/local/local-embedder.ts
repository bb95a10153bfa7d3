/** What the embedders of this folder have in common: they run here, need no key, and hold memory until they are closed. */
import { MemoryError } from "../../base/errors.ts";
import type { Embedder } from "../model.ts";
import type { ModelPackage } from "./model-package.ts";

export interface LocalEmbedder extends Embedder {
  /** How the vectors are made: by the encoder itself, or from the table distilled from it. */
  readonly kind: "onnx" | "static";
  /** The package whose files it reads. */
  readonly model: ModelPackage;
  /** Frees the weights; a later call loads them again. */
  close(): Promise<void>;
}

/** What a text without a single readable character has instead of a vector: never zeros (C-22). */
export function nothingToEmbed(space: string, index: number): MemoryError {
  return new MemoryError(
    "input_invalid",
    `Text ${index + 1} of the list given to "${space}" is empty. Valid: at least one visible character.`,
    { details: { index } },
  );
}
