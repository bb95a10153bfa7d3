import { expect, test } from "vitest";
import { parsePreset } from "./load.ts";

const load = (service: string, postInsert: string, models = "{}") =>
  parsePreset(
    `name: one\nsummary: One.\ndefaults: recommended\nservice: ${service}\nmodels: ${models}\nstages:\n  pre_retrieval: none\n  post_insert: ${postInsert}\n`,
    "my.yaml",
  );

const TIERED = "{ name: hierarchical_memory, migration_policy: pending }";

test("[S0-23] status_based settles only what the service leaves undecided, in tiers that it has", async () => {
  await load(TIERED, "status_based");
  const crud = "{ action: status_based, crud: { prompt: decide_crud } }";
  await expect(load(TIERED, crud)).rejects.toThrow('settles "crud"');
  await expect(load(TIERED, crud)).rejects.toThrow("migrate, forget");
  await expect(load(TIERED, "{ action: status_based, forget: { tiers: [nope] } }")).rejects.toThrow(
    'the tier "nope"',
  );
});

test("[B.0.6] what looks for likeness after an insert is refused without an embedder", async () => {
  const hybrid = "{ name: hybrid_memory, graph_enabled: false }";
  for (const action of [
    "{ action: summarize, strategy: clusters }",
    "{ action: link_evolution, link_policy: synonym_edge }",
    "{ action: link_evolution, link_policy: auto_link }",
    "route_links",
  ]) {
    await expect(load(hybrid, action, "{ embedder: null }")).rejects.toThrow("needs vectors");
  }
  await load(hybrid, "{ action: summarize, strategy: clusters }");
});
