/** A tiny ablation carried out: real preset files, real runs in processes of their own, real differences. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { planAblation } from "./plan-ablation.ts";
import { runAblation } from "./run-ablation.ts";

/** Every run starts a process, and the machine may be busy. */
const SLOW = 300_000;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-ablation-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const turn = (dia_id: string, speaker: string, text: string) => ({ dia_id, speaker, text });
/** Every answer needs two turns, so that whoever shows one of them only finds half. */
const TALK = [
  {
    sample_id: "talk",
    conversation: {
      speaker_a: "Mia",
      speaker_b: "Ben",
      session_1_date_time: "1:56 pm on 8 May, 2023",
      session_1: [
        turn("D1:1", "Mia", "My cat Pip sleeps on the piano."),
        turn("D1:2", "Ben", "My cat Tom sleeps in the garden."),
        turn("D1:3", "Mia", "王芳喜欢吃火锅。"),
        turn("D1:4", "Ben", "李雷也喜欢吃火锅。"),
      ],
    },
    qa: [
      {
        question: "Where does each cat sleep?",
        answer: "piano, garden",
        evidence: ["D1:1", "D1:2"],
        category: 1,
      },
      { question: "谁喜欢吃火锅？", answer: "王芳，李雷", evidence: ["D1:3", "D1:4"], category: 1 },
    ],
  },
];
const OWN = `name: mine
summary: "Has room for one memory."
extends: bm25
service: { collection_name: mine }
stages: { post_retrieval: { action: filter, filter_type: token_budget, budget: 14, reserve: 0 } }
`;

test(
  "each variant is run beside the base and held against it; what fails is told, and nothing is run twice",
  async () => {
    const [own, data, out] = [join(folder, "mine.yaml"), join(folder, "talk.json"), join(folder, "out")];
    writeFileSync(own, OWN);
    writeFileSync(data, JSON.stringify(TALK));
    const whole = await planAblation(own, { folder: join(out, "presets"), dimensions: ["post_retrieval"] });
    const chosen = whole.variants.filter(({ label }) => label === "none" || label === "filter.dedup");
    // One that cannot be loaded when its turn comes.
    const broken = {
      ...chosen[1]!,
      name: "MS-broken",
      label: "broken",
      file: join(out, "presets", "no.yaml"),
      text: null,
    };
    const plan = { ...whole, variants: [...chosen, broken] };
    const common = {
      ...{ dataset: `locomo=${data}`, datasetName: "talk", out, cache: join(folder, "cache") },
      ...{ ks: [1, 3], points: 1, seed: 7 },
    };
    const { base, rows, measures } = await runAblation(plan, common, { measures: ["recall@3", "all@3"] });
    expect(base.overall["recall@3"]?.mean).toBe(0.5);
    expect(measures).toEqual(["recall@3", "all@3"]);
    const none = rows.find(({ planned }) => planned.label === "none");
    expect(none?.run).toBe("MS-neuromem_vdb__PR-none__POR-none__PI-none__POI-none__talk");
    expect(none?.differences).toEqual([
      {
        ...{ measure: "recall@3", base: 0.5, isTold: true },
        difference: { mean: 0.5, low: 0.5, high: 0.5, count: 2 },
      },
      { ...{ measure: "all@3", base: 0, isTold: true }, difference: { mean: 1, low: 1, high: 1, count: 2 } },
    ]);
    const failed = rows.find(({ planned }) => planned.label === "broken");
    expect(failed).toMatchObject({ summary: null, error: { code: "preset_invalid" }, differences: [] });
    expect(readdirSync(join(out, "presets"))).toHaveLength(2);
    expect(existsSync(join(out, none?.run ?? "", "results.jsonl"))).toBe(true);

    const again = await runAblation({ ...plan, variants: chosen.slice(0, 1) }, common);
    expect(again.measures).toEqual(["recall@3", "all@3", "mrr"]);
    expect(again.base.cost.buildMs).toBe(base.cost.buildMs);
    await expect(runAblation({ ...plan, variants: [] }, common, { measures: ["recal@3"] })).rejects.toThrow(
      /no measure "recal@3".*Did you mean "recall@3"/,
    );
  },
  SLOW,
);
