/** The schema for editors takes what the loader takes, and refuses what it refuses for a wrong key or value. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { presetJsonSchema } from "./json-schema.ts";
import { listPresets, loadRecommended } from "./load.ts";
import { asObject } from "./option-table.ts";

const schema = presetJsonSchema(await loadRecommended());
const checker = z.fromJSONSchema(JSON.parse(JSON.stringify(schema)));
const takes = (value: unknown): boolean => checker.safeParse(value).success;

describe("the schema for editors", () => {
  test("is shipped as presets/preset.schema.json; `vitest run src/preset/json-schema.test.ts -u` writes it anew", async () => {
    await expect(`${JSON.stringify(schema)}\n`).toMatchFileSnapshot("../../presets/preset.schema.json");
  });

  test("takes every preset of the package", async () => {
    for (const name of await listPresets()) {
      const text = await readFile(new URL(`../../presets/${name}.yaml`, import.meta.url), "utf8");
      expect(takes(parse(text)), name).toBe(true);
    }
  });

  const start = { name: "x", summary: "Y.", defaults: "recommended", service: { name: "neuromem_vdb" } };
  const stage = (post_retrieval: unknown) => ({ ...start, stages: { post_retrieval } });

  test.each<[string, unknown]>([
    ["a child that changes one option", { extends: "bm25", service: { top_k: 3 } }],
    ["an older name of an option", { ...start, service: { name: "short_term_memory", max_dialog: 7 } }],
    [
      "a policy by its name",
      { ...start, service: { name: "neuromem_vdb", vitality: { policy: "biem_energy" } } },
    ],
    ["a sub-type as an action", stage("ppr")],
    ["a list", stage(["none", { action: "filter", filter_type: "top_k", k: 3 }])],
    ["a list under action", stage({ action: ["none"] })],
    ["part of the models", { ...start, models: { chat: null } }],
  ])("takes %s", (_, value) => {
    expect(takes(value)).toBe(true);
  });

  test.each<[string, unknown]>([
    ["an unknown key", { ...start, sumary: "x" }],
    ["an unknown service", { ...start, service: { name: "neuromem_vbd" } }],
    ["an unknown option", { ...start, service: { name: "neuromem_vdb", topk: 3 } }],
    ["an unknown action", stage("reranked")],
    ["no sub-type", stage("rerank")],
    ["a wrong value", { ...start, service: { name: "neuromem_vdb", top_k: "ten" } }],
  ])("refuses %s", (_, value) => {
    expect(takes(value)).toBe(false);
  });

  test("is one document without loose ends, with recommended values as defaults", () => {
    const text = JSON.stringify(schema);
    const names = Object.keys(asObject(schema.$defs) ?? {});
    for (const [, name] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) expect(names).toContain(name);
    expect(text).toContain('"default":');
  });
});
