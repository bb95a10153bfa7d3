/** `neuromem bench tune` as it is typed: what it prints, what it writes, how it ends, and that Ctrl-C loses nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { typed } from "../../../test/fixtures/typed-command.ts";
import { loadPreset } from "../../preset/load.ts";

const SLOW = 120_000;
const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const RELEVANCE = "stages.post_retrieval.rerank.weights.relevance";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-bench-tune-"));
  writeFileSync(join(folder, "talk.json"), JSON.stringify(["a", "b", "丙"].map(conversation)));
  writeFileSync(join(folder, "one.json"), JSON.stringify([conversation("a")]));
  writeFileSync(join(folder, "newest.yaml"), NEWEST);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NEWEST = `name: newest
summary: "What was said last comes first."
extends: bm25
service: { collection_name: newest }
stages:
  post_retrieval:
    action: rerank
    rerank_type: weighted
    weights: { recency: 1, importance: 0, relevance: 0, topic_overlap: 0 }
    recency: { form: hours, factor_per_hour: 0.995, time_field: happened_at }
`;

/** What is asked for was told first; what was told later shares a word with it. */
function conversation(name: string) {
  const things = name === "丙" ? ["口哨", "护照", "雨伞"] : ["whistle", "passport", "umbrella"];
  const said = (session: number, text: (thing: string) => string) =>
    things.map((thing, at) => ({ speaker: "Mia", dia_id: `D${session}:${at + 1}`, text: text(thing) }));
  return {
    sample_id: name,
    conversation: {
      session_1_date_time: "1:00 pm on 8 May, 2023",
      session_1: said(1, (thing) =>
        name === "丙" ? `我把${thing}放在抽屉里。` : `I keep the ${thing} in a drawer.`,
      ),
      session_2_date_time: "2:00 pm on 9 June, 2023",
      session_2: said(2, (thing) =>
        name === "丙" ? `朋友喜欢我的${thing}。` : `A friend likes my ${thing}.`,
      ),
    },
    qa: things.map((thing, at) => ({
      question: name === "丙" ? `我把${thing}放在哪里？` : `Where do I keep the ${thing}?`,
      ...{ answer: "drawer", evidence: [`D1:${at + 1}`], category: 4 },
    })),
  };
}

function words(more: readonly string[] = [], vary = `${RELEVANCE}=0..4`): string[] {
  return [
    ...["bench", "tune", "--dataset", `locomo=${join(folder, "talk.json")}`],
    ...["--preset", join(folder, "newest.yaml"), "--vary", vary, "--measure", "mrr", "--tries", "5"],
    ...["--cache", join(folder, "cache"), ...more],
  ];
}

const run = (given: readonly string[]) => typed(...given);

test(
  "prints the gain on cases left out, what each fold chose and what to use; writes it as a preset",
  async () => {
    const out = join(folder, "new", "tuned.yaml");
    const { status, stdout, stderr } = await run(words(["--out", out]));
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining("cases scored") });
    expect(stdout).toContain("newest · locomo talk · mrr (3 cases, 9 questions,");
    expect(stdout).toMatch(/gain on cases left out: \+\d+\.\d \(\+\d+\.\d to \+\d+\.\d\)\n {2}A gain\./);
    expect(stdout.match(/^ {2}\d {2}\+\d+\.\d .*relevance \d/gm)).toHaveLength(3);
    expect(stdout).toMatch(new RegExp(`${RELEVANCE} {2}0 → \\d`));
    const text = readFileSync(out, "utf8");
    expect(text).toMatch(/^# newest, tuned by: neuromem bench tune --dataset locomo=.*--seed 7\n/);
    expect(text).toMatch(/^# data set: locomo talk, 3 cases, sha256 [0-9a-f]{64}$/m);
    expect(text).toMatch(/^# gain on cases left out, 3 folds by case: \+.*: a gain\.$/m);
    expect((await loadPreset(out)).name).toBe("newest_tuned");
    const again = await run(words(["--out", out]));
    expect(again).toMatchObject({ status: 5, stderr: expect.stringContaining("is not overwritten") });
  },
  SLOW,
);

test(
  "says so where there is no gain, in Chinese, too; programs get everything",
  async () => {
    const idle = "stages.post_retrieval.rerank.weights.importance=0..4";
    const { stdout } = await run(words(["--lang", "en"], idle));
    expect(stdout).toContain("No gain that can be told from chance.");
    expect(stdout).toContain("the preset as it is: nothing scored higher");
    const chinese = await run(words(["--lang", "zh"], idle));
    expect(chinese.stdout).toContain("没有能与偶然区分的收益。");
    expect(chinese.stderr).toMatch(/沿用此前的 \d+ 个得分。/);
    const report = JSON.parse((await run(words(["--json"], idle))).stdout);
    expect(report).toMatchObject({
      verdict: "chance",
      changed: [],
      gain: { mean: 0, count: 9 },
      measure: "mrr",
    });
    expect(report.folds).toHaveLength(3);
  },
  SLOW,
);

test(
  "what is missing, unknown or too little is told with what would be valid",
  async () => {
    const told = async (...given: string[]) => {
      const { status, stdout, stderr } = await run(given);
      return { status, told: `${stdout}${stderr}` };
    };
    expect(await told("bench", "tune")).toMatchObject({
      status: 2,
      told: expect.stringContaining("--dataset is missing"),
    });
    expect(await told(...words(["--folds", "1"]))).toMatchObject({
      status: 2,
      told: expect.stringContaining("from 2 on"),
    });
    expect(await told(...words(["--dataset", `locomo=${join(folder, "one.json")}`]))).toMatchObject({
      status: 2,
      told: expect.stringContaining("There is one case"),
    });
    expect(await told(...words([], "stages.post_retrieval.rerank.weights.relevanc=0..4"))).toMatchObject({
      status: 2,
      told: expect.stringContaining(`Did you mean "${RELEVANCE}"?`),
    });
    expect(await told(...words(["--seed", "0.5"]))).toMatchObject({
      status: 2,
      told: expect.stringContaining("--seed"),
    });
    expect(await told(...words(["--tries", "1"]))).toMatchObject({
      status: 2,
      told: expect.stringContaining("The first is the preset as it is"),
    });
    // The data has no values that changed: told after the preset as it is, not after all settings.
    const unmeasured = await told(
      ...words(["--measure", "newest@10", "--cache", join(folder, "unmeasured")]),
    );
    expect(unmeasured).toMatchObject({
      status: 2,
      told: expect.stringMatching(/There are no cases with .* or another measure\./),
    });
    expect(scored("unmeasured")).toBe(3);
    writeFileSync(join(folder, "file"), "");
    expect(await told(...words(["--out", join(folder, "file", "tuned.yaml")]))).toMatchObject({
      told: expect.stringContaining("Nothing can be written to the folder"),
    });
    expect(await told(...words([], `${RELEVANCE}=4..0`))).toMatchObject({
      told: expect.stringContaining("LOW < HIGH"),
    });
  },
  SLOW,
);

test(
  "Ctrl-C keeps what was scored, and the same command goes on to the same report",
  async () => {
    const whole = await run(words(["--json", "--cache", join(folder, "whole")]));
    const child = spawn(process.execPath, [MAIN, ...words(["--json"])], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const err: string[] = [];
    child.stderr.on("data", (piece) => err.push(String(piece)));
    const ended = once(child, "exit");
    while (scored() < 2 && child.exitCode === null) await wait(5);
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(err.join("")).toContain("What is done is kept");
    const kept = scored();
    expect(kept).toBeGreaterThanOrEqual(2);
    const { status, stdout, stderr } = await run(words(["--json"]));
    expect(stderr).toContain(`Going on with ${kept} scores`);
    expect({ status, report: JSON.parse(stdout) }).toEqual({ status: 0, report: JSON.parse(whole.stdout) });
  },
  SLOW,
);

/** Whole lines of scores on disk. */
function scored(cache = "cache"): number {
  const scores = join(folder, cache, "tune");
  if (!existsSync(scores)) return 0;
  const [name = ""] = readdirSync(scores);
  return name === "" ? 0 : readFileSync(join(scores, name), "utf8").split("\n").length - 1;
}
