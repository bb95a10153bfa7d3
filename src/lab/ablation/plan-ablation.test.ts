import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { presetDiff } from "../../preset/diff.ts";
import { loadPreset, parsePreset } from "../../preset/load.ts";
import { planAblation } from "./plan-ablation.ts";
import { DIMENSIONS } from "./run-name.ts";

/** Every combination is loaded, and the machine may be busy. */
const SLOW = 120_000;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-ablation-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test(
  "one dimension differs at a time, in their order, and every variant is a preset that loads",
  async () => {
    const plan = await planAblation("hybrid", { folder });
    expect(plan.base).toMatchObject({
      name: "MS-hybrid_memory__PR-embedding__POR-none__PI-none__POI-none",
      file: "hybrid",
    });
    const order = plan.variants.map(({ dimension }) => [...DIMENSIONS, null].indexOf(dimension));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(new Set(order)).toEqual(new Set([0, 1, 2, 3, 4]));
    const base = await loadPreset("hybrid");
    for (const { dimension, file, text, name } of plan.variants) {
      const variant = await parsePreset(text ?? "", file);
      const parts = new Set(
        presetDiff(base, variant)
          .filter(({ part, path }) => part !== "service" || path !== "collection_name")
          .map(({ part }) => part),
      );
      expect([...parts], name).toEqual([dimension]);
    }
    const names = [plan.base, ...plan.variants].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(plan.variants.map(({ file }) => file)).size).toBe(plan.variants.length);
  },
  SLOW,
);

test(
  "nothing is passed over: every action and service is tried, refused with the loader's reason, or there already",
  async () => {
    const plan = await planAblation("bm25", { folder });
    const seen = [...plan.variants, ...plan.misfits, ...plan.same];
    for (const dimension of DIMENSIONS) {
      const labels = seen.filter((one) => one.dimension === dimension).map(({ label }) => label);
      expect(new Set(labels).size, dimension).toBe(labels.length);
      if (dimension !== "service") expect(labels).toContain("none");
    }
    expect(seen.filter(({ dimension }) => dimension === "service")).toHaveLength(7);
    // It embeds nothing: what lives by vectors is told so.
    const reason = (label: string) => plan.misfits.find((one) => one.label === label)?.reason;
    expect(reason("embedding")).toMatch(/needs vectors, but models\.embedder is null/);
    expect(reason("rerank.ppr")).toMatch(/needs the ability "graph"/);
    expect(reason("rerank.cross_encoder")).toMatch(/needs a reranker/);
    expect(plan.same).toContainEqual({ dimension: "pre_retrieval", label: "none" });
    for (const { reason: why } of plan.misfits) expect(why.trim()).not.toBe("");
  },
  SLOW,
);

test(
  "what gives the question its vector stays behind another action; none is tried as it is",
  async () => {
    const plan = await planAblation("hybrid", { folder, dimensions: ["pre_retrieval"] });
    expect(plan.variants.every(({ dimension }) => dimension === "pre_retrieval")).toBe(true);
    const rewrite = plan.variants.find(({ label }) => label === "optimize.rewrite+embedding");
    expect(rewrite?.name).toBe(
      "MS-hybrid_memory__PR-optimize.rewrite+embedding__POR-none__PI-none__POI-none",
    );
    expect(parse(rewrite?.text ?? "")).toMatchObject({
      extends: "hybrid",
      stages: {
        pre_retrieval: [{ action: "optimize", optimize_type: "rewrite" }, { action: "embedding" }],
      },
    });
    const none = plan.variants.find(({ label }) => label === "none");
    expect(parse(none?.text ?? "").stages).toEqual({ pre_retrieval: { action: "none" } });
    // A service that finds by vectors alone cannot do without.
    const hashed = await planAblation("tim", { folder, dimensions: ["pre_retrieval"] });
    expect(hashed.misfits.find(({ label }) => label === "none")?.reason).toMatch(
      /finds nothing without a vector/,
    );
  },
  SLOW,
);

test(
  "a preset of one's own is extended by its path; the same action with other options has a name of its own",
  async () => {
    const own = join(folder, "mine.yaml");
    writeFileSync(
      own,
      `name: mine
summary: "我的设计。"
extends: bm25
service: { collection_name: mine }
stages: { post_retrieval: { action: filter, filter_type: top_k, k: 3 } }
`,
    );
    const plan = await planAblation(own, {
      folder: join(folder, "out", "presets"),
      dimensions: ["post_retrieval"],
    });
    const top = plan.variants.find(({ label }) => label === "filter.top_k");
    expect(plan.base).toMatchObject({ file: own, name: expect.stringContaining("__POR-filter.top_k__") });
    expect(top?.name).toContain("__POR-filter.top_k-recommended__");
    expect(parse(top?.text ?? "").extends).toBe("../../mine.yaml");
    expect(plan.variants.map(({ label }) => label)).toContain("none");
  },
  SLOW,
);

test(
  "what is done by the clock goes with post_insert; a long name stays a folder's name",
  async () => {
    const plan = await planAblation("biem", { folder, dimensions: ["post_insert"] });
    const base = await loadPreset("biem");
    expect(base.upkeep.length).toBeGreaterThan(0);
    const none = plan.variants.find(({ label }) => label === "none");
    const variant = await parsePreset(none?.text ?? "", none?.file ?? "");
    expect(variant.upkeep).toEqual([]);
    for (const { name } of [plan.base, ...plan.variants]) expect(name.length).toBeLessThanOrEqual(180);
  },
  SLOW,
);

test("an unknown preset is refused with what would be valid", async () => {
  await expect(planAblation("hybird", { folder })).rejects.toThrow(/Did you mean "hybrid"\?/);
});
