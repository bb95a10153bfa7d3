/** The eleven rows of the five-dimension table, taken literally (C-23): each preset has exactly the row's five choices. */
import { expect, test } from "vitest";
import { parseScope } from "../base/scope.ts";
import { appendTurns } from "../pipeline/journal.ts";
import { openInMemory } from "../storage/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { loadPreset } from "./load.ts";
import { openPreset } from "./open.ts";

const ROWS = [
  ["S0-79", "hipporag", "graph_memory", "tri_embed", "link_evolution", "embedding", "rerank"],
  ["S0-80", "generative_agents", "neuromem_vdb", "none", "reflection", "embedding", "rerank"],
  ["S0-81", "memgpt", "hierarchical_memory", "transform", "distillation", "none", "none"],
  ["S0-82", "memorybank", "hierarchical_memory", "none", "forgetting", "embedding", "none"],
  ["S0-83", "a_mem", "graph_memory", "tri_embed", "link_evolution", "embedding", "merge"],
  ["S0-84", "memory_os", "hierarchical_memory", "none", "forgetting", "embedding", "merge"],
  ["S0-85", "scm", "short_term_memory", "none", "distillation", "embedding", "filter"],
  ["S0-86", "secom", "neuromem_vdb", "transform", "distillation", "none", "none"],
  ["S0-87", "emotional_rag", "neuromem_vdb", "tri_embed", "none", "embedding", "merge"],
  ["S0-88", "ld_agent", "hierarchical_memory", "tri_embed", "forgetting", "optimize", "rerank"],
  ["S0-89", "locomo", "neuromem_vdb", "transform", "reflection", "embedding", "compress"],
] as const;

test.each(ROWS)(
  "[S0-79..S0-89][C-23][C-24] row %s: table/%s is %s, %s, %s, %s, %s",
  async (_, name, service, ...actions) => {
    const preset = await loadPreset(`table/${name}`);
    expect(preset.service.name).toBe(service);
    const { pre_insert, post_insert, pre_retrieval, post_retrieval } = preset.stages;
    const chosen = [pre_insert, post_insert, pre_retrieval, post_retrieval].map((stage) =>
      stage.map(({ action }) => action),
    );
    expect(chosen).toEqual(actions.map((action) => [action]));
  },
);

test("[C-28][B.0.9-8] Mem0 decides by its four operations, and what it supersedes stays readable", async () => {
  const preset = await loadPreset("mem0");
  expect(preset.service.name).toBe("hybrid_memory");
  expect(preset.stages.post_insert.map(({ action }) => action)).toEqual(["mem0_crud"]);
  const storage = await openInMemory();
  const memory = await openPreset(preset, { storage, embedder: hashEmbedder() });
  const alice = parseScope("alice");
  const say = async (text: string) =>
    memory.insert(alice, await appendTurns(storage, alice, [{ speaker: "Ada", text }]));
  await say("My city is Rome.");
  const [old] = (await memory.retrieve(alice, { text: "Which city does Ada live in?" })).hits;
  await say("My city is Paris.");
  const { hits } = await memory.retrieve(alice, { text: "Which city does Ada live in?" });
  expect(hits.map(({ content }) => content).join()).toContain("Paris");
  expect(hits.map(({ content }) => content).join()).not.toContain("Rome");
  const [kept] = await storage.entries(alice, "mem0", old === undefined ? [] : [old.id]);
  expect(kept?.content).toContain("Rome");
  await memory.close();
  await storage.close();
});
