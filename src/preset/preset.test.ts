import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MemoryError } from "../base/errors.ts";
import { parseScope } from "../base/scope.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import { appendTurns } from "../pipeline/journal.ts";
import { withAllFeatures } from "../services/features/index.ts";
import { openInMemory } from "../storage/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { startModelServer } from "../testing/model-server.ts";
import { presetDiff } from "./diff.ts";
import { listPresets, loadFeatures, loadPreset, loadRecommended, parsePreset } from "./load.ts";
import { openPreset } from "./open.ts";
import { type Preset, presetData } from "./preset.ts";

/** Everything written out; line 9 is the service, lines 11 to 16 are the stages. */
const FULL = `name: plain
summary: Stores what was said and finds it by words.
input: { unit: turn, with_speaker: true, window: { by: turns, size: 1, overlap: 0, context: 0, together: 1 } }
on_bad_reply: fallback
models: { chat: null, embedder: null, reranker: null }
prompts: null
# A comment, so that lines are counted and not keys.
on_model_down: wait
service: { name: neuromem_vdb, collection_name: memories, top_k: 10, vitality: null }
stages:
  pre_insert: none
  memory_insert: default
  post_insert: none
  pre_retrieval: none
  memory_retrieval: { action: default, top_k: null, fusion: { strategy: rrf, rrf_k: 60, weights: null } }
  post_retrieval: { action: none, conversation_format_prompt: "" }
`;
const SHORT = `name: short
summary: All that is not written is recommended.
defaults: recommended
service: { name: neuromem_vdb }
`;

const read = (text: string) => parsePreset(text, "my.yaml");

async function refused(text: string): Promise<string> {
  try {
    await read(text);
  } catch (error) {
    if (MemoryError.is(error) && error.code === "preset_invalid") return error.message;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a preset file", () => {
  test("[S0-62][S0-64] says everything: what it does is what is written", async () => {
    const preset = await read(FULL);
    expect(presetData(preset)).toMatchObject({
      name: "plain",
      service: { name: "neuromem_vdb", top_k: 10 },
      stages: { pre_insert: [{ action: "none" }], memory_insert: [{ action: "default" }] },
    });
  });

  const changes: [string, string, string, readonly string[]][] = [
    [
      "an unknown key",
      "prompts: null",
      "prompt: null",
      ["my.yaml:6: prompt: is not a key here", 'mean "prompts"'],
    ],
    ["a missing key", "on_bad_reply: fallback\n", "", ["on_bad_reply: is missing"]],
    [
      "an unknown service",
      "neuromem_vdb",
      "neuromem_vbd",
      ["my.yaml:9: service.name", 'mean "neuromem_vdb"'],
    ],
    [
      "an unknown option of it",
      "top_k: 10",
      "topk: 10",
      ["my.yaml:9: service.topk: is not a key here", 'mean "top_k"'],
    ],
    [
      "an unknown action",
      "post_insert: none",
      "post_insert: reflektion",
      ["my.yaml:13", 'mean "reflection"'],
    ],
    [
      "an unknown option of an action",
      "top_k: null,",
      "top_n: null,",
      ["my.yaml:15", "top_n: is not a key here", 'mean "top_k"'],
    ],
    ["a missing option", "top_k: null, ", "", ["my.yaml:15", "top_k: is missing"]],
    ["a wrong value", "top_k: 10", "top_k: zero", ["my.yaml:9: service.top_k", "expected number"]],
    ["an unknown stage", "  post_insert:", "  post_inserts:", ["post_inserts", 'mean "post_insert"']],
    ["a missing stage", "  post_insert: none\n", "", ["stages.post_insert: is missing"]],
    [
      "no sub-type",
      "pre_insert: none",
      "pre_insert: transform",
      ["my.yaml:11", "transform_type: is missing", "chunking"],
    ],
    [
      "an unknown sub-type",
      "pre_insert: none",
      "pre_insert: { action: transform, transform_type: chunkin }",
      ['no transform_type "chunkin"', 'mean "chunking"'],
    ],
    ["broken YAML", "name: plain", "name: [plain", ["my.yaml:"]],
    ["a key twice", "prompts: null", "prompts: null\nprompts: null", ["my.yaml:7"]],
    ["no map at all", FULL, "just words", ["A preset is a map"]],
    ["no action", "post_insert: none", "post_insert: 5", ["An action is expected"]],
    [
      "an environment variable",
      "summary: Stores",
      `summary: $${"{HOME}"} stores`,
      ["my.yaml:2: summary", "api_key only"],
    ],
  ];
  test.each(changes)(
    "[S0-63][B.0.9-23] %s is refused with its line and what is valid",
    async (_, from, to, parts) => {
      const message = await refused(FULL.replace(from, to));
      for (const part of parts) expect(message).toContain(part);
    },
  );

  test("all that is wrong is told at once", async () => {
    const message = await refused(
      FULL.replace("top_k: 10", "topk: 10").replace("post_insert: none", "post_insert: nothing"),
    );
    expect(message.split("\n").length).toBeGreaterThanOrEqual(2);
    expect(message).toContain("post_insert");
    expect(message).toContain("service.topk");
  });

  test("[B.0.9-11][B.0.9-25] every option of every service that is recommended is one it takes", async () => {
    const { SERVICES } = await import("../services/index.ts");
    const recommended = await loadRecommended();
    expect(Object.keys(SERVICES)).toHaveLength(7);
    for (const name of Object.keys(SERVICES)) {
      const preset = await read(
        FULL.replace(/service: .*/, `service: ${JSON.stringify({ name, ...recommended.service(name) })}`)
          .replace("embedder: null", "embedder: built_in")
          .replace(
            "pre_retrieval: none",
            "pre_retrieval: { action: embedding, embedding_model: default, spaces: native }",
          ),
      );
      expect(preset.service.name).toBe(name);
    }
  });

  test("[C-30] what is not written is recommended only where the file says so", async () => {
    const preset = await read(SHORT);
    expect(preset.service.options.top_k).toBeTypeOf("number");
    expect(preset.stages.memory_retrieval).toHaveLength(1);
    const message = await refused(SHORT.replace("defaults: recommended\n", ""));
    expect(message.split("\n")[0]).toContain('or "defaults: recommended"');
    expect(await refused(SHORT.replace("defaults: recommended", "defaults: best"))).toContain(
      "my.yaml:3: defaults",
    );
  });

  test("[C-24][C-25] older names of options and sub-types written as actions are read as what they mean", async () => {
    const ppr = SHORT.replace("neuromem_vdb", "graph_memory");
    const one = await read(`${ppr}stages: { post_retrieval: ppr }\n`);
    const other = await read(`${ppr}stages: { post_retrieval: { action: rerank, rerank_type: ppr } }\n`);
    expect(presetDiff(one, other)).toEqual([]);
    const alias = await read(
      SHORT.replace("{ name: neuromem_vdb }", "{ name: short_term_memory, max_dialog: 7 }"),
    );
    expect(alias.service.options).toMatchObject({ maxlen: 7 });
    const both = SHORT.replace(
      "{ name: neuromem_vdb }",
      "{ name: short_term_memory, max_dialog: 7, maxlen: 8 }",
    );
    expect(await refused(both)).toContain("another name of");
  });

  test("[C-23] an action may be a list, written four ways", async () => {
    const list = "[{ action: filter, filter_type: top_k, k: 3 }, none]";
    const a = await read(`${SHORT}stages: { post_retrieval: ${list} }\n`);
    const b = await read(`${SHORT}stages: { post_retrieval: { action: ${list} } }\n`);
    expect(a.stages.post_retrieval.map(({ action }) => action)).toEqual(["filter", "none"]);
    expect(presetDiff(a, b)).toEqual([]);
  });
});

describe("[B.0.6] what does not fit together is refused when it is loaded", () => {
  const cases: [string, string, readonly string[]][] = [
    [
      "a hash service without a vector of the question",
      "service: { name: vector_hash_memory }\nstages: { pre_retrieval: none }",
      ["vector of the question", "embedding"],
    ],
    [
      "a hash service without an embedder",
      "service: { name: vector_hash_memory }\nmodels: { chat: null, embedder: null, reranker: null }",
      ["embedder"],
    ],
    [
      "link evolution without a graph",
      "service: { name: neuromem_vdb }\nstages: { post_insert: { action: link_evolution, link_policy: synonym_edge } }",
      ["link_evolution", "neuromem_vdb"],
    ],
    [
      "migration without tiers",
      "service: { name: neuromem_vdb }\nstages: { post_insert: { action: migrate, migrate_policy: overflow } }",
      ["migrate"],
    ],
    [
      "a cross encoder without a reranker",
      "service: { name: neuromem_vdb }\nstages: { post_retrieval: { action: rerank, rerank_type: cross_encoder } }",
      ["reranker"],
    ],
    [
      "two rounds of post_insert",
      "service: { name: neuromem_vdb }\nstages: { post_insert: [distillation, mem0_crud] }",
      ["distillation and mem0_crud", "one of them"],
    ],
    [
      "status handling where nothing is left undecided",
      "service: { name: neuromem_vdb }\nstages: { post_insert: status_based }",
      ["undecided"],
    ],
  ];
  test.each(cases)("%s", async (_, body, parts) => {
    const message = await refused(`name: misfit\nsummary: Does not fit.\ndefaults: recommended\n${body}\n`);
    for (const part of parts) expect(message).toContain(part);
  });

  test("an insert method that no draft will want", async () => {
    const written = `${SHORT}stages: { memory_insert: fact_insert }\n`;
    expect(await refused(written)).toContain('No draft will want the insert method "fact_insert"');
    const wanted = `${SHORT}stages: { memory_insert: fact_insert, pre_insert: { action: transform, transform_type: fact_extract } }\n`;
    expect((await read(wanted)).stages.memory_insert[0]?.action).toBe("fact_insert");
  });

  test("two retrievals", async () => {
    const one = "{ action: default, top_k: null, fusion: { strategy: union } }";
    const message = await refused(FULL.replace(/memory_retrieval: .*/, `memory_retrieval: [${one}, ${one}]`));
    expect(message).toContain("Valid: exactly one");
  });

  test("drafts for an insert method that is not listed", async () => {
    const tri =
      "pre_insert: { action: tri_embed, entry: passage, triple_extraction_prompt: extract_triples, max_triples: 9 }";
    expect(await refused(FULL.replace("pre_insert: none", tri))).toContain(
      '"triple_insert", which stages.memory_insert does not list',
    );
  });

  test("[C-30][B.0.9-9] a prompt that is not there, or has the wrong holes", async () => {
    const folder = await mkdtemp(join(tmpdir(), "neuromem-prompts-"));
    const preset = (prompt: string) =>
      parsePreset(
        `${SHORT}prompts: .\nstages: { pre_retrieval: { action: scm_gate, prompt: ${prompt} } }\n`,
        join(folder, "my.yaml"),
      );
    await expect(preset("no_such_prompt")).rejects.toMatchObject({
      message: expect.stringContaining("no_such_prompt"),
    });
    for (const language of ["en", "zh"])
      await writeFile(join(folder, `mine.${language}.md`), "Judge.\n---\n{{dialogue}}\n");
    await expect(preset("mine")).rejects.toMatchObject({
      code: "preset_invalid",
      message: expect.stringContaining("dialogue"),
    });
  });
});

test("[S0-56][S1-1][S1-3] the seed's constants are loaded by name, for the features on any collection", async () => {
  const seed = await loadFeatures("seed_001");
  expect(seed.ebbinghaus).toEqual({
    strength_threshold: 0.3,
    initial_strength: 0.8,
    decay_per_hour: 0.1,
    reinforcement_factor: 0.2,
  });
  expect(seed.heat).toEqual({ cold_threshold: 0.3, hot_threshold: 0.8, decay_per_hour: 0.05 });
  const storage = await openInMemory();
  const notes = await new CollectionManager(storage).create({
    name: "notes",
    profile: "hybrid",
    indexes: [
      { name: "default", kind: "vector_flat", options: { space: "s", dimension: 2 } },
      { name: "triple_index", kind: "vector_flat", options: { space: "s", dimension: 2 } },
    ],
  });
  const memory = withAllFeatures(notes, seed, { conflict: { task: { onBadReply: "throw" } } });
  const alice = parseScope("alice");
  const vector = (x: number, y: number) => ({ space: "s", values: Float32Array.of(x, y) });
  const fact = (content: string) =>
    memory.insertWithConflictCheck(alice, { content, vector: vector(1, 0.1), metadata: {} });
  expect(await fact("Alice's city is Rome")).toMatchObject({ action: "inserted", conflict: null });
  expect(await fact("Alice's city is Paris")).toMatchObject({ action: "skipped", id: null });
  expect(await fact("Alice's job is cook")).toMatchObject({ action: "inserted", conflict: null });
  await storage.close();
});

test("an unknown name of a preset is refused with the nearest", async () => {
  await expect(loadPreset("bm52")).rejects.toMatchObject({ message: expect.stringContaining('mean "bm25"') });
  await expect(loadPreset("./absent.yaml")).rejects.toMatchObject({
    message: expect.stringContaining("absent.yaml"),
  });
});

describe("opening", () => {
  const alice = parseScope("alice");

  test("[S0-25][S0-65] every preset of the package loads, differs from the others, and runs with no key", async () => {
    const presets = await Promise.all((await listPresets()).map(loadPreset));
    expect(presets.length).toBeGreaterThan(0);
    // A variant may be another name for the design it extends.
    const isVariant = ({ name }: Preset) => name.endsWith("_pipeline");
    for (const preset of presets) {
      for (const other of presets) {
        const more = presetDiff(preset, other).filter(({ path }) => path !== "collection_name");
        if (other !== preset && !isVariant(preset) && !isVariant(other))
          expect(more, `${preset.name} and ${other.name}`).not.toEqual([]);
      }
      const storage = await openInMemory();
      const open = await openPreset(preset, { storage, embedder: hashEmbedder() });
      const turns = await appendTurns(storage, alice, [
        { text: "I drink green tea.", speaker: "Ada" },
        { text: "小明住在上海。", speaker: "小明" },
      ]);
      await open.insert(alice, turns);
      // What is shown counts as well as what is searched: some designs show the talk that goes on as it is.
      const told = async (text: string): Promise<string> => {
        const { hits, context } = await open.retrieve(alice, { text });
        return [...hits.map(({ content }) => content), context].join("\n");
      };
      // In TiM a question looks into one bucket, wherever the answer may lie.
      if (!preset.name.includes("tim")) {
        expect(await told("What tea does Ada drink?"), preset.name).toContain("tea");
        expect(await told("小明住在哪里？"), preset.name).toContain("上海");
      }
      await open.close();
      await expect(open.retrieve(alice, { text: "tea" })).rejects.toMatchObject({ code: "storage_closed" });
      // The storage is the caller's: it is still open.
      expect((await storage.stats()).turns).toBe(2);
      await storage.close();
    }
  });

  test("another embedder than an action insists on is refused before the first question", async () => {
    const insisting = (model: string) =>
      read(`${SHORT}stages: { pre_retrieval: { action: embedding, embedding_model: ${model} } }\n`);
    const storage = await openInMemory();
    const deps = { storage, embedder: hashEmbedder() };
    await expect(openPreset(await insisting("nonsense"), deps)).rejects.toMatchObject({
      code: "embedder_mismatch",
    });
    await (await openPreset(await insisting("hash-64"), deps)).close();
    await storage.close();
  });

  test("a key comes from the environment, is not shown, and its absence is told by name", async () => {
    const server = await startModelServer({
      chat: JSON.stringify({ needs_memory: false, reason: "a greeting" }),
    });
    const chat = `chat: { endpoint: test, model: m, base_url: "${server.url}", api_key: "\${MY_KEY}" }`;
    const preset = await read(
      `${SHORT}models: { ${chat}, embedder: null, reranker: null }\nstages: { pre_retrieval: scm_gate }\n`,
    );
    const storage = await openInMemory();
    await expect(openPreset(preset, { storage })).rejects.toMatchObject({
      message: expect.stringContaining("MY_KEY"),
    });
    const open = await openPreset(preset, { storage, env: { MY_KEY: "sk-secret" } });
    const { question } = await open.retrieve(alice, { text: "Could you tell me something about it?" });
    expect(question.skip).toContain("a greeting");
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-secret");
    const literal = await read(
      `${SHORT}models: { chat: { endpoint: openai, model: m, api_key: sk-secret }, embedder: null, reranker: null }\nstages: { pre_retrieval: none }\n`,
    );
    expect(JSON.stringify(presetData(literal))).not.toContain("sk-secret");
    await open.close();
    await server.close();
  });
});
