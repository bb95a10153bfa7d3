/** The embedder that needs no key and no network: English and Chinese, each with the best that runs on this machine. */
import { bilingual } from "./bilingual.ts";
import {
  type ChooseDeps,
  type ChooseOptions,
  chooseEmbedder,
  type EmbedderChoice,
} from "./choose-embedder.ts";
import type { EmbedderSet } from "./embedder-set.ts";

export interface BuiltInEmbedder extends EmbedderSet {
  /** What runs for each language and why, for `status`. */
  readonly choices: readonly EmbedderChoice[];
  close(): Promise<void>;
}

export async function builtInEmbedder(
  options: ChooseOptions = {},
  deps: ChooseDeps = {},
): Promise<BuiltInEmbedder> {
  const en = await chooseEmbedder("en", options, deps);
  const zh = await chooseEmbedder("zh", options, deps);
  return {
    ...bilingual({ en: en.embedder, zh: zh.embedder }, deps.trace),
    choices: [en, zh],
    async close() {
      await en.embedder?.close();
      await zh.embedder?.close();
    },
  };
}
