/** The eleven rows of the five-dimension table, taken literally (C-23): each preset has exactly the row's five choices. */
import { expect, test } from "vitest";
import { loadPreset } from "./load.ts";

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
