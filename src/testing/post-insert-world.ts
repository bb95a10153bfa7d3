/**
 * A pipeline whose post_insert is under test: plain inserts into a service (a vector database unless the test names
 * another), the actions under test, and a scripted model and prompt files where the test gives them.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultInsert } from "../actions/memory-insert/default.ts";
import type { Entry } from "../base/entry.ts";
import type { JsonObject } from "../base/json.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import { resolveEndpoint } from "../models/endpoints.ts";
import { openAiCompatible } from "../models/openai-compatible.ts";
import { openPrompts } from "../tasks/prompt-library.ts";
import { TASK_LANGUAGES } from "../tasks/task.ts";
import { type Script, startModelServer } from "./model-server.ts";
import { type Chosen, openPipelineWorld, type PipelineSetup, type PipelineWorld } from "./pipeline-world.ts";

export interface PostInsertSetup extends Partial<Omit<PipelineSetup, "stages" | "model" | "prompts">> {
  readonly post: readonly Chosen<"post_insert">[];
  readonly pre?: readonly Chosen<"pre_insert">[];
  readonly insert?: readonly Chosen<"memory_insert">[];
  /** What the model answers; without it there is no model. */
  readonly chat?: Script;
  /** Texts of prompt files by id, the same in every language. */
  readonly promptFiles?: Readonly<Record<string, string>>;
}

export interface PostInsertWorld extends PipelineWorld {
  /** All that the model was sent, as one text. */
  asked(): string;
  /** Every entry in sight, those out of recall among them, oldest first. */
  all(scope?: Scope): Promise<Entry[]>;
  /** The contents of those in recall, oldest first. */
  current(scope?: Scope): Promise<string[]>;
  /** What the last action of the last packet noted. */
  notes(): JsonObject;
}

const ALICE = parseScope("alice");
const COLLECTION = "notes";

export async function openPostInsertWorld(setup: PostInsertSetup): Promise<PostInsertWorld> {
  const { post, pre = [], insert, chat, promptFiles, ...rest } = setup;
  const server = chat === undefined ? undefined : await startModelServer({ chat });
  const folder = promptFiles === undefined ? undefined : await writePrompts(promptFiles);
  const world = await openPipelineWorld({
    service: { name: "neuromem_vdb", options: { collection_name: COLLECTION, top_k: 10, vitality: null } },
    ...rest,
    input: rest.input ?? { unit: "turn", with_speaker: false },
    model:
      server &&
      openAiCompatible(resolveEndpoint("test", { baseUrl: server.url, model: "m", json: "schema" })),
    prompts: folder === undefined ? undefined : openPrompts([folder]),
    stages: {
      pre_insert: pre,
      memory_insert: insert ?? [{ action: defaultInsert, options: {} }],
      post_insert: post,
    },
  });
  const all = (scope = ALICE) => world.storage.scan(scope, { collection: COLLECTION, limit: 1000 });
  return {
    ...world,
    asked: () => JSON.stringify(server?.requests.map(({ body }) => body.messages) ?? []),
    all,
    async current(scope) {
      const entries = await all(scope);
      return entries.filter(({ supersededBy }) => supersededBy === null).map(({ content }) => content);
    },
    notes: () => world.heard.findLast((event) => event.type === "stage-run")?.notes ?? {},
    async close() {
      await world.close();
      await server?.close();
      if (folder !== undefined) await rm(folder, { recursive: true });
    },
  };
}

async function writePrompts(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "prompts-"));
  for (const [id, text] of Object.entries(files)) {
    for (const language of TASK_LANGUAGES) await writeFile(join(folder, `${id}.${language}.md`), text);
  }
  return folder;
}
