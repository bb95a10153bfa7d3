/** Who embeds with no key and no network? The built-in embedders and what they are made of. */
export { type BilingualEmbedders, bilingual } from "./bilingual.ts";
export { type BuiltInEmbedder, builtInEmbedder } from "./built-in.ts";
export {
  type ChooseDeps,
  type ChooseOptions,
  chooseEmbedder,
  describeEmbedder,
  type EmbedderChoice,
  type EmbedderKind,
} from "./choose-embedder.ts";
export {
  type BacklogChunk,
  type BacklogOptions,
  type BacklogProgress,
  embedBacklog,
} from "./embed-backlog.ts";
export {
  type EmbedderSet,
  type EmbedderSpace,
  oneSpace,
  type QueryOptions,
  type QueryVector,
  type SetOptions,
} from "./embedder-set.ts";
export type { LocalEmbedder } from "./local-embedder.ts";
export {
  type BuiltInLanguage,
  findModelPackage,
  type ModelPackage,
  openModelPackage,
} from "./model-package.ts";
export { type OnnxEmbedderDeps, type OnnxEmbedderOptions, onnxEmbedder } from "./onnx-embedder.ts";
export { type Encoder, type EncoderOptions, loadOnnxRuntime, type OpenEncoder } from "./onnx-encoder.ts";
export { staticEmbedder } from "./static-embedder.ts";
