/**
 * A pipeline whose retrieval is under test: a vector database with the hash embedder, plain inserts, the default search,
 * and the actions of pre_retrieval that the test names; with a scripted model where the test gives one, and prompt files
 * of its own where it names them.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultInsert } from "../actions/memory-insert/default.ts";
import { defaultRetrieval } from "../actions/memory-retrieval/default.ts";
import { noPreInsert } from "../actions/pre-insert/none.ts";
import type { JsonObject } from "../base/json.ts";
import { resolveEndpoint } from "../models/endpoints.ts";
import { openAiCompatible } from "../models/openai-compatible.ts";
import { openPrompts } from "../tasks/prompt-library.ts";
import { TASK_LANGUAGES } from "../tasks/task.ts";
import { type ModelServer, type Script, startModelServer } from "./model-server.ts";
import { type Chosen, openPipelineWorld, type PipelineSetup, type PipelineWorld } from "./pipeline-world.ts";

export interface RetrievalSetup extends Partial<Omit<PipelineSetup, "stages" | "model" | "prompts">> {
  readonly pre: readonly Chosen<"pre_retrieval">[];
  readonly pre_insert?: readonly Chosen<"pre_insert">[];
  readonly memory_insert?: readonly Chosen<"memory_insert">[];
  /** Options of the default search. */
  readonly search?: JsonObject;
  /** What the model answers; without it there is no model. */
  readonly chat?: Script;
  /** Texts of prompt files by id, the same in every language. */
  readonly promptFiles?: Readonly<Record<string, string>>;
}

export interface RetrievalWorld extends PipelineWorld {
  /** All that the model was sent, as one text. */
  asked(): string;
}

export const PLAIN_SEARCH: JsonObject = { top_k: 10, fusion: { strategy: "rrf", rrf_k: 60, weights: null } };

export async function openRetrievalWorld(setup: RetrievalSetup): Promise<RetrievalWorld> {
  const { pre, pre_insert, memory_insert, search = PLAIN_SEARCH, chat, promptFiles, ...rest } = setup;
  const server = chat === undefined ? undefined : await startModelServer({ chat });
  const folder = promptFiles === undefined ? undefined : await writePrompts(promptFiles);
  const world = await openPipelineWorld({
    service: { name: "neuromem_vdb", options: { collection_name: "notes", top_k: 10, vitality: null } },
    ...rest,
    input: rest.input ?? { unit: "turn", with_speaker: false },
    model: server && modelOf(server),
    prompts: folder === undefined ? undefined : openPrompts([folder]),
    stages: {
      pre_insert: pre_insert ?? [{ action: noPreInsert, options: {} }],
      memory_insert: memory_insert ?? [{ action: defaultInsert, options: {} }],
      pre_retrieval: pre,
      memory_retrieval: [{ action: defaultRetrieval, options: search }],
    },
  });
  return {
    ...world,
    asked: () => JSON.stringify(server?.requests.map(({ body }) => body.messages) ?? []),
    async close() {
      await world.close();
      await server?.close();
      if (folder !== undefined) await rm(folder, { recursive: true });
    },
  };
}

function modelOf({ url }: ModelServer) {
  return openAiCompatible(resolveEndpoint("test", { baseUrl: url, model: "m", json: "schema" }));
}

async function writePrompts(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "prompts-"));
  for (const [id, text] of Object.entries(files)) {
    for (const language of TASK_LANGUAGES) await writeFile(join(folder, `${id}.${language}.md`), text);
  }
  return folder;
}
