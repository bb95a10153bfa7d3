/** Who embeds in a run, and what exactly decides its vectors? The preset's own embedder, with the vectors of earlier runs. */
import { createHash } from "node:crypto";
import { bilingual } from "../../models/local/bilingual.ts";
import { chooseEmbedder } from "../../models/local/choose-embedder.ts";
import { type EmbedderSet, oneSpace } from "../../models/local/embedder-set.ts";
import type { LocalEmbedder } from "../../models/local/local-embedder.ts";
import { type BuiltInLanguage, readPackageFile } from "../../models/local/model-package.ts";
import { openEmbedder } from "../../models/open-model.ts";
import type { Preset } from "../../preset/preset.ts";
import { keyOf } from "../../preset/substitutions.ts";
import type { RunSummary } from "../result.ts";
import { type CachedEmbedder, cachedEmbedder } from "./vector-cache.ts";

export interface LabEmbedder {
  /** undefined: the design embeds nothing, or nobody here can. */
  readonly set: EmbedderSet | undefined;
  readonly named: RunSummary["embedder"];
  close(): Promise<void>;
}

export interface LabEmbedderOptions {
  /** The folder of the vectors. */
  readonly cache: string;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

export async function labEmbedder(preset: Preset, options: LabEmbedderOptions): Promise<LabEmbedder> {
  const choice = preset.models.embedder;
  if (choice === null) return { set: undefined, named: null, close: async () => undefined };
  if (choice === "built_in") return builtIn(options);
  const { endpoint, model, base_url, api_key } = choice;
  const key = api_key === null ? undefined : keyOf(api_key, options.env ?? {}, "embedder");
  const opened = await openEmbedder(endpoint, { model, key, baseUrl: base_url ?? undefined });
  const hash = createHash("sha256")
    .update(JSON.stringify([opened.provider, opened.id, opened.dimension, opened.settings ?? ""]))
    .digest("hex");
  const cached = cachedEmbedder(opened, hash, options.cache);
  return { set: oneSpace(cached), named: { id: opened.id, hash }, close: async () => cached.close() };
}

const LANGUAGES: readonly BuiltInLanguage[] = ["en", "zh"];

async function builtIn({ cache }: LabEmbedderOptions): Promise<LabEmbedder> {
  const members: { readonly local: LocalEmbedder; readonly cached: CachedEmbedder; readonly hash: string }[] =
    [];
  const embedders: Partial<Record<BuiltInLanguage, CachedEmbedder>> = {};
  for (const language of LANGUAGES) {
    const { embedder: local } = await chooseEmbedder(language);
    if (local === undefined) continue;
    const hash = sourceOf(local);
    const cached = cachedEmbedder(local, hash, cache);
    embedders[language] = cached;
    members.push({ local, cached, hash });
  }
  const close = async (): Promise<void> => {
    for (const { local, cached } of members) {
      cached.close();
      await local.close();
    }
  };
  if (members.length === 0) return { set: undefined, named: null, close };
  const id = members.map(({ local }) => local.id).join(" + ");
  const hash = createHash("sha256")
    .update(members.map((one) => one.hash).join(" "))
    .digest("hex");
  return { set: bilingual(embedders), named: { id, hash }, close };
}

/** Hash of the files and settings that decide its vectors. */
function sourceOf({ kind, model }: LocalEmbedder): string {
  const { directory, ...manifest } = model;
  const hash = createHash("sha256").update(JSON.stringify([kind, manifest]));
  for (const name of kind === "onnx" ? ["model.onnx", "vocab.txt"] : ["static.bin", "vocab.txt"])
    hash.update(readPackageFile(directory, name));
  return hash.digest("hex");
}
