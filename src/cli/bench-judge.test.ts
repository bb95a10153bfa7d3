/** bench judge and bench ablate as they are typed: a real run, a scripted model on a real socket, what is said and how it ends. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { typed } from "../../test/fixtures/typed-command.ts";
import { runJob } from "../lab/run/run-job.ts";
import { type ModelServer, startModelServer } from "../testing/model-server.ts";

const SLOW = 120_000;
let folder: string;
let server: ModelServer;

const TALK = [
  {
    sample_id: "talk",
    conversation: {
      speaker_a: "Mia",
      speaker_b: "Ben",
      session_1_date_time: "1:56 pm on 8 May, 2023",
      session_1: [
        { speaker: "Mia", dia_id: "D1:1", text: "I moved to Rome." },
        { speaker: "Ben", dia_id: "D1:2", text: "王芳周末吃了火锅。" },
      ],
    },
    qa: [
      { question: "Where did Mia move?", answer: "Rome", evidence: ["D1:1"], category: 4 },
      { question: "王芳周末吃了什么？", answer: "火锅", evidence: ["D1:2"], category: 4 },
      { question: "What did Mia paint?", adversarial_answer: "a boat", evidence: ["D1:1"], category: 5 },
    ],
  },
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-bench-"));
  const data = join(folder, "talk.json");
  writeFileSync(data, JSON.stringify(TALK));
  await runJob({
    ...{ dataset: `locomo=${data}`, preset: "bm25", name: "bm25__talk", ks: [3], points: 1, seed: 7 },
    ...{ out: folder, cache: join(folder, "cache") },
  });
  // It answers what it is asked about, and holds an answer for right if it says Rome.
  server = await startModelServer({
    chat: ({ body }) => {
      const asked = JSON.stringify(body.messages);
      const usage = { prompt_tokens: 1000, completion_tokens: 100 };
      if (!asked.includes("<reference>"))
        return { text: JSON.stringify({ reasoning: "", answer: "Rome", evidence: [] }), usage };
      const isRight = /<answer>\\n.*Rome.*\\n<\/answer>/.test(asked) && asked.includes("<reference>\\nRome");
      return { text: JSON.stringify({ correct: isRight, reasoning: "x" }), usage };
    },
  });
}, SLOW);
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = typed;

describe("bench judge", () => {
  const judge = (...words: string[]) =>
    run(
      "bench",
      "judge",
      join(folder, "bm25__talk"),
      "--model",
      "mine:m",
      "--base-url",
      server.url,
      ...words,
    );

  test(
    "answers and judges what a real run recalled, and says it in both languages and for programs",
    async () => {
      const prices = ["--price-in", "1000", "--price-out", "0"];
      const { status, stdout } = await judge(...prices, "--json");
      expect(status).toBe(0);
      const judged = JSON.parse(stdout);
      expect(judged.overall.judge_strict).toMatchObject({ mean: 0.5, count: 2 });
      expect(judged.overall.f1.mean).toBe(0.5);
      expect(judged.abstain.f1).toMatchObject({ mean: 0, count: 1 });
      expect(judged.falsePositives.judge_lenient.all.mean).toBe(0);
      expect(judged.models).toEqual({ answer: "mine:m", judge: "mine:m" });
      const { calls, usd } = judged.cost.answers;
      expect(usd).toBe(calls);
      const asked = server.requests.length;
      const english = await judge(...prices);
      expect(english.stdout).toMatch(/expects an answer +50\.0 \(0\.0–100\.0\)/);
      expect(english.stdout).toContain("Wrong answers that judges let pass");
      expect((await judge(...prices, "--lang", "zh")).stdout).toContain("评判放过的错误答案");
      expect(server.requests).toHaveLength(asked);
    },
    SLOW,
  );

  test("says what is missing or cannot be", async () => {
    const without = await run("bench", "judge", join(folder, "bm25__talk"));
    expect(without).toMatchObject({ status: 2, stderr: expect.stringContaining("nothing is judged") });
    const nowhere = await run("bench", "judge", folder, "--model", "mine:m", "--base-url", server.url);
    expect(nowhere).toMatchObject({ status: 2, stderr: expect.stringContaining("holds no finished run") });
    expect((await judge("--judge-base-url", "http://x")).stderr).toContain("Valid: --judge with it.");
    expect((await judge("--price-in", "1")).stderr).toContain("A price has two sides.");
    expect((await judge("--planted", "1.5")).stderr).toContain("--planted is 1.5.");
    expect((await judge("--hits", "1")).stderr).toContain("hits was null and is 1");
  });
});

describe("bench ablate", () => {
  const plan = (...words: string[]) => run("bench", "ablate", "--plan-only", "--preset", "bm25", ...words);

  test(
    "tells its plan without running anything, with what does not fit and why",
    async () => {
      const { status, stdout } = await plan("--dimensions", "pre_retrieval", "--json");
      expect(status).toBe(0);
      const { base, variants, misfits } = JSON.parse(stdout);
      expect(base.name).toBe("MS-neuromem_vdb__PR-none__POR-none__PI-none__POI-none");
      expect(variants.map(({ label }: { label: string }) => label)).toContain("optimize.expand");
      expect(misfits).toContainEqual({
        ...{ dimension: "pre_retrieval", label: "embedding" },
        reason: expect.stringContaining("models.embedder is null"),
      });
      const chinese = await plan("--dimensions", "pre_retrieval", "--lang", "zh");
      expect(chinese.stdout).toMatch(/基准已是如此[\s\S]*\+ optimize\.expand[\s\S]*个不适用/);
    },
    SLOW,
  );

  test("says what is missing or cannot be", async () => {
    expect(await plan("--dimensions", "pre_retreival")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Did you mean "pre_retrieval"?'),
    });
    const data = ["--dataset", `locomo=${join(folder, "talk.json")}`, "--preset", "bm25"];
    const out = join(folder, "ablation");
    expect(
      await run("bench", "ablate", ...data, "--measure", "mrr,recal@5", "--k", "5", "--out", out),
    ).toMatchObject({ status: 2, stderr: expect.stringContaining('Did you mean "recall@5"?') });
    expect(existsSync(out)).toBe(false);
    const bare = await run("bench", "ablate", "--preset", "bm25", "--dimensions", "service");
    expect(bare).toMatchObject({ status: 2, stderr: expect.stringContaining("--dataset is missing.") });
  });
});
