/** One of several threads that score presets on LoCoMo: it is told a name and answers with the scores, or why there are none. */
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { builtInEmbedder } from "../../src/models/local/built-in.ts";
import { loadConversations, scorePreset } from "./locomo.ts";
import { rememberedEmbedder } from "./remembered-embedder.ts";

const { data, conversations } = z.object({ data: z.string(), conversations: z.number() }).parse(workerData);
const talks = loadConversations(data).slice(0, conversations);
const embedder = rememberedEmbedder(await builtInEmbedder({}));

parentPort?.on("message", (preset: string) => {
  scorePreset(preset, talks, embedder).then(
    (scores) => parentPort?.postMessage({ scores }),
    (error: unknown) => parentPort?.postMessage({ failed: `${preset}: ${String(error)}` }),
  );
});
