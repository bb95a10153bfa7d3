/** Tuning on real memories: small conversations in English and Chinese, and a preset whose order of hits depends on a number. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { presetDiff } from "../../preset/diff.ts";
import { loadPreset, parsePreset } from "../../preset/load.ts";
import type { LabCase } from "../dataset.ts";
import { openDataset } from "../datasets/open-dataset.ts";
import { openCase } from "../run/open-case.ts";
import { openCaseMemories } from "./case-memories.ts";
import { overridePreset } from "./override-preset.ts";
import { type TuneJob, type TuneOptions, tune } from "./tune.ts";
import { tunedYaml } from "./tuned-yaml.ts";

const SLOW = 120_000;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-tune-test-"));
  writeFileSync(join(folder, "talk.json"), JSON.stringify(TALK));
  writeFileSync(join(folder, "newest.yaml"), NEWEST);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What is told first is what is asked for; what comes later only shares words with it. */
const ENGLISH = [
  ["whistle", "cedar drawer"],
  ["passport", "blue suitcase"],
  ["umbrella", "hall cupboard"],
  ["telescope", "attic"],
];
const CHINESE = [
  ["口哨", "雪松抽屉"],
  ["护照", "蓝色箱子"],
  ["雨伞", "走廊柜子"],
  ["望远镜", "阁楼"],
];
const TALK = [0, 1, 2, 3].map((place) => conversation(`conv-${place}`, place % 2 === 0));

function conversation(name: string, isEnglish: boolean) {
  const things = isEnglish ? ENGLISH : CHINESE;
  const turn = (session: number, at: number, text: string) => ({
    speaker: isEnglish ? "Mia" : "王芳",
    dia_id: `D${session}:${at + 1}`,
    text,
  });
  return {
    sample_id: name,
    conversation: {
      session_1_date_time: "1:00 pm on 8 May, 2023",
      session_1: things.map(([thing, place], at) =>
        turn(1, at, isEnglish ? `I keep the ${thing} in the ${place}.` : `我把${thing}放在${place}里。`),
      ),
      session_2_date_time: "2:00 pm on 9 June, 2023",
      session_2: things.map(([thing], at) =>
        turn(
          2,
          at,
          isEnglish ? `A friend saw my ${thing} and liked it.` : `朋友看见了我的${thing}，很喜欢。`,
        ),
      ),
    },
    qa: things.map(([thing, place], at) => ({
      question: isEnglish ? `Where do I keep the ${thing}?` : `我把${thing}放在哪里？`,
      answer: place,
      evidence: [`D1:${at + 1}`],
      category: 4,
    })),
  };
}

/** Newest first, whatever was asked: relevance counts nothing until it is tuned. */
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
const RELEVANCE = "stages.post_retrieval.rerank.weights.relevance";
const IMPORTANCE = "stages.post_retrieval.rerank.weights.importance";

function jobOf(more: Partial<TuneJob> = {}): TuneJob {
  return {
    dataset: `locomo=${join(folder, "talk.json")}`,
    preset: join(folder, "newest.yaml"),
    vary: [`${RELEVANCE}=0..4`],
    ...{ measure: "mrr", folds: 4, tries: 8, seed: 7 },
    cache: join(folder, "cache"),
    ...more,
  };
}

function scoreFile(cache = join(folder, "cache")): string {
  const [name = ""] = readdirSync(join(cache, "tune"));
  return join(cache, "tune", name);
}

describe("a tune", () => {
  test(
    "finds an option that matters, and says what it gains where it was not chosen",
    async () => {
      const report = await tune(jobOf());
      expect(report.verdict).toBe("gain");
      expect(report.gain.low).toBeGreaterThan(0);
      expect(report.gain.count).toBe(16);
      expect(report.folds).toHaveLength(4);
      expect(report.folds.map(({ cases }) => cases.length)).toEqual([1, 1, 1, 1]);
      for (const { chosen } of report.folds) expect(Number(chosen[RELEVANCE])).toBeGreaterThan(1);
      expect(report.start).toEqual({ [RELEVANCE]: 0 });
      expect(report.changed).toEqual([{ path: RELEVANCE, from: 0, to: report.chosen[RELEVANCE] }]);
    },
    SLOW,
  );

  test(
    "an option that changes nothing is no gain, and the preset stays as it is",
    async () => {
      const report = await tune(jobOf({ vary: [`${IMPORTANCE}=0..4`] }));
      expect(report).toMatchObject({ verdict: "chance", changed: [], gain: { mean: 0, low: 0, high: 0 } });
    },
    SLOW,
  );

  test(
    "the same seed gives the same report, another seed tries other settings",
    async () => {
      const [first, again, other] = [
        await tune(jobOf({ cache: join(folder, "a") })),
        await tune(jobOf({ cache: join(folder, "b") })),
        await tune(jobOf({ cache: join(folder, "c"), seed: 8 })),
      ];
      expect(again).toEqual(first);
      expect(readFileSync(scoreFile(join(folder, "b")), "utf8")).toBe(
        readFileSync(scoreFile(join(folder, "a")), "utf8"),
      );
      expect(readFileSync(scoreFile(join(folder, "c")), "utf8")).not.toBe(
        readFileSync(scoreFile(join(folder, "a")), "utf8"),
      );
      expect(other.seed).toBe(8);
    },
    SLOW,
  );

  test(
    "one case, one fold, an unknown measure or a value that cannot be is refused before anything is lived",
    async () => {
      writeFileSync(join(folder, "one.json"), JSON.stringify(TALK.slice(0, 1)));
      const refused = (more: Partial<TuneJob>) => expect(tune(jobOf(more))).rejects;
      await refused({ dataset: `locomo=${join(folder, "one.json")}` }).toThrow("There is one case");
      await refused({ folds: 1 }).toThrow("Valid: a whole number from 2 on.");
      await refused({ measure: "recal@10" }).toThrow('Did you mean "recall@10"?');
      await refused({ measure: "tokens@10" }).toThrow("There is no measure");
      await refused({ vary: [`${IMPORTANCE}=yes,no`] }).toThrow("cannot have");
      await refused({ vary: [] }).toThrow("There is nothing to vary.");
      await refused({ vary: [`${RELEVANCE}=0..1`, `${RELEVANCE}=0..2`] }).toThrow("varied twice");
      await refused({ vary: ["stages.post_retrieval.rerank.weights.relevence=0..1"] }).toThrow(
        `Did you mean "${RELEVANCE}"?`,
      );
      expect(readdirSync(folder).sort()).toEqual(["newest.yaml", "one.json", "talk.json"]);
    },
    SLOW,
  );
});

describe("a tune that was stopped", () => {
  /** Stops after so many scores. */
  async function stopped(after: number): Promise<void> {
    const controller = new AbortController();
    const onProgress: TuneOptions["onProgress"] = ({ done }) => {
      if (done === after) controller.abort();
    };
    await expect(tune(jobOf(), { signal: controller.signal, onProgress })).rejects.toMatchObject({
      code: "aborted",
    });
  }
  const found: (readonly [number, boolean])[] = [];
  const onFound = (count: number, areOfToday: boolean): void => {
    found.push([count, areOfToday]);
  };
  beforeEach(() => {
    found.length = 0;
  });

  test(
    "goes on with what was scored, past a line that was cut short, to the same report",
    async () => {
      const whole = await tune(jobOf({ cache: join(folder, "whole") }));
      await stopped(6);
      expect(readFileSync(scoreFile(), "utf8").trim().split("\n")).toHaveLength(6);
      appendFileSync(scoreFile(), '{"preset":"abc","case":"conv');
      expect(await tune(jobOf(), { onFound })).toEqual(whole);
      expect(found).toEqual([[6, true]]);
      const lines = readFileSync(scoreFile(), "utf8").trim().split("\n");
      expect(lines).toEqual(
        readFileSync(scoreFile(join(folder, "whole")), "utf8")
          .trim()
          .split("\n"),
      );
      expect(new Set(lines).size).toBe(lines.length);
    },
    SLOW,
  );

  test(
    "scores that are not today's are thrown away, and --fresh throws away all",
    async () => {
      const whole = await tune(jobOf({ cache: join(folder, "whole") }));
      await stopped(6);
      const file = scoreFile();
      const [first = "", ...rest] = readFileSync(file, "utf8").split("\n");
      writeFileSync(file, [first.replace(/:0\.\d+/, ":0.001"), ...rest].join("\n"));
      expect(await tune(jobOf(), { onFound })).toEqual(whole);
      expect(found).toEqual([[6, false]]);
      await tune(jobOf({ fresh: true }), { onFound });
      expect(found).toHaveLength(1);
    },
    SLOW,
  );

  test(
    "a file that holds something else is refused with its line",
    async () => {
      await stopped(2);
      appendFileSync(scoreFile(), "你好\n");
      await expect(tune(jobOf())).rejects.toThrow(":3 is no line of scores.");
    },
    SLOW,
  );
});

describe("memories of cases", () => {
  const deps = () => ({});

  test(
    "are lived once for every way of writing, and read as a memory of the preset's own",
    async () => {
      const { cases } = await openDataset(jobOf().dataset);
      const preset = await loadPreset(jobOf().preset);
      const memories = openCaseMemories(deps);
      try {
        for (const one of cases.slice(0, 2)) {
          for (const setting of [{}, { [RELEVANCE]: 4 }, { "input.with_speaker": false }]) {
            const changed = overridePreset(preset, setting);
            const lines = await memories.ask(one, changed, one.questions, [10]);
            const own = await openCase(one, { preset: changed });
            await own.live(one.turns.length);
            for (const [place, question] of one.questions.entries()) {
              const { measures, hits } = await own.ask(question, [10]);
              expect(lines[place]).toMatchObject({ question: question.id, measures });
              expect(lines[place]?.hits.map(({ refs }) => refs)).toEqual(hits.map(({ refs }) => refs));
            }
            await own.close();
          }
        }
        // Two cases, two ways of writing: the one that only reads otherwise opened what was there.
        expect(memories.lived).toBe(4);
      } finally {
        await memories.close();
      }
    },
    SLOW,
  );

  test(
    "a question with its own place in the stream is asked of what had been said there",
    async () => {
      const said = ["Ben lives in Rome.", "Mia lives in Oslo.", "本现在住在成都。", "Ben lives in Lima now."];
      const question = {
        text: "Where does Ben live?",
        category: "1",
        sessions: [],
        answers: [],
        expects: "answer",
      } as const;
      const one: LabCase = {
        id: "本",
        turns: said.map((text, place) => ({ ref: `t${place}`, session: `s${place}`, speaker: "Ann", text })),
        questions: [
          { ...question, id: "early", evidence: ["t0"], after: 2 },
          { ...question, id: "late", evidence: ["t3"] },
        ],
      };
      const memories = openCaseMemories(deps);
      try {
        for (const relevance of [0, 1]) {
          const preset = overridePreset(await loadPreset(jobOf().preset), { [RELEVANCE]: relevance });
          const lines = await memories.ask(one, preset, one.questions, [10]);
          const refsOf = (id: string) =>
            lines.find((line) => line.question === id)?.hits.flatMap(({ refs }) => refs);
          expect(refsOf("early")).not.toContain("t3");
          expect(refsOf("early")).toContain("t0");
          expect(refsOf("late")).toContain("t3");
        }
        expect(memories.lived).toBe(1);
      } finally {
        await memories.close();
      }
    },
    SLOW,
  );
});

describe("what was found, as a preset", () => {
  const VARY: readonly (readonly [string, Record<string, string | number | boolean>])[] = [
    [
      "ld_agent",
      { "stages.post_retrieval.rerank.weights.recency": 0.3, "stages.post_retrieval.filter#2.k": 4 },
    ],
    ["hybrid", { "service.weights.vector": 0.7, "service.rrf_k": 20, "input.with_speaker": false }],
    ["bm25", {}],
  ];

  test.each(VARY)("of %s loads again and does what was scored", async (name, setting) => {
    const preset = await loadPreset(name);
    const chosen = overridePreset(preset, setting);
    const report = await reportOf(setting, name);
    const text = tunedYaml({ command: "neuromem bench tune …", parent: name, preset, report });
    const loaded = await parsePreset(text, join(folder, "tuned.yaml"));
    expect(presetDiff(chosen, loaded)).toEqual([]);
    expect(presetDiff(preset, loaded)).toHaveLength(Object.keys(setting).length);
    expect(text).toContain(
      "gain on cases left out, 2 folds by case: +1.0 (−0.5 to +2.5): no gain that can be told",
    );
    expect(text).toContain(`sha256 ${"ab".repeat(32)}`);
  });

  async function reportOf(setting: Record<string, string | number | boolean>, name: string) {
    const fold = { cases: ["甲"], questions: 1, chosen: setting, before: 0.5, gain: 0.01 };
    return {
      preset: { name, hash: "cd".repeat(32) },
      dataset: { kind: "locomo", name: "talk", hash: "ab".repeat(32), cases: 2 },
      ...{ measure: "recall@10", tries: 9, seed: 7, start: {}, chosen: setting, settings: 9, unfit: 0 },
      before: { mean: 0.5, low: 0.4, high: 0.6, count: 2 },
      gain: { mean: 0.01, low: -0.005, high: 0.025, count: 2 },
      verdict: "chance",
      folds: [fold, fold],
      changed: Object.entries(setting).map(([path, to]) => ({ path, from: null, to })),
    } as const;
  }
});
