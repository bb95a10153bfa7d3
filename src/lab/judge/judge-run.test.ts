/** Answers and judgements over a scripted server on a real socket, beside the results of a run that lie in a real folder. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Json } from "../../base/json.ts";
import { checkPrompts } from "../../tasks/prompt-library.ts";
import type { SeenRequest, ServerReply } from "../../testing/model-server.ts";
import { type ScriptedModel, scriptedModel } from "../../testing/scripted-model.ts";
import type { QuestionLine, RunSummary } from "../result.ts";
import { answersLineSchema, withAnswers } from "./answer-line.ts";
import { judgeRun } from "./judge-run.ts";
import { JUDGE_NAMES, judgeBoth, judgeTask } from "./judges.ts";

const NO_MODEL = { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0 };
const SUMMARY: RunSummary = {
  ...{ format: 1, run: "bm25__talk", preset: { name: "bm25", hash: "p" } },
  dataset: { kind: "locomo", name: "talk", hash: "d", cases: 1, turns: 3, questions: 4, leftOut: {} },
  ...{ embedder: null, models: { chat: null, judges: [] }, seed: 7, git: null, version: "0.0.0" },
  machine: { node: "v24", platform: "linux", cpus: 2, cpu: "x", memoryGb: 4 },
  ...{ overall: {}, byCategory: {}, corrected: null, abstention: null, byPoint: [] },
  cost: {
    ...{ buildMs: 1, msPerTurn: 1, queryMsP50: 1, queryMsP95: 1, stagesMs: {}, peakMemoryMb: 1 },
    ...{ bytesOnDisk: 1, entries: 3, build: NO_MODEL, query: NO_MODEL },
  },
};

type Said = { readonly text: string; readonly whole?: string; readonly at?: number };
function asked(
  question: string,
  category: string,
  text: string,
  answers: string[],
  said: Said[],
): QuestionLine {
  return {
    ...{ type: "question", case: "c1", question, text, category, answers, evidence: [] },
    expects: category === "5" ? "abstain" : "answer",
    point: { number: 1, of: 1, turns: 3 },
    askedAt: Date.UTC(2023, 4, 9),
    hits: said.map((one) => ({ refs: ["1:1"], score: 1, tokens: 5, ...one })),
    ...{ contextTokens: null, confidence: 1, measures: { "recall@5": 1 } },
    times: { queryMs: 1, stagesMs: {} },
  };
}
const MOVED = { text: "Mia: I moved to Ro…", whole: "Mia: I moved to Rome.", at: Date.UTC(2023, 4, 7) };
const HOTPOT = { text: "王芳：周末我们去吃了火锅。" };
const LINES = [
  asked("q1", "4", "Where did Mia move?", ["Rome"], [MOVED, HOTPOT]),
  asked("q2", "2", "When did Mia move?", ["7 May 2023"], [MOVED]),
  asked("q3", "4", "王芳吃了什么？", ["火锅"], [HOTPOT]),
  { ...asked("q4", "5", "What did Ben buy?", [], [MOVED]), trap: "a red scarf" },
  asked("q5", "4", "Where does Ben live?", ["Oslo"], []),
];

let folder: string;
let scripted: ScriptedModel | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-judge-"));
  writeFileSync(join(folder, "summary.json"), JSON.stringify(SUMMARY));
  writeFileSync(
    join(folder, "results.jsonl"),
    LINES.map((line) => `${JSON.stringify({ ...line, point: { number: 1, of: 1, turns: 3 } })}\n`).join(""),
  );
});
afterEach(async () => {
  await scripted?.close();
  rmSync(folder, { recursive: true, force: true });
});

const bodySchema = z.object({
  messages: z.array(z.object({ content: z.string() })),
  response_format: z.object({ json_schema: z.object({ name: z.string() }) }),
});
interface Request {
  readonly task: string;
  readonly system: string;
  readonly user: string;
}
function requestOf({ body }: SeenRequest): Request {
  const { messages, response_format } = bodySchema.parse(body);
  const [system, user] = messages;
  return {
    task: response_format.json_schema.name,
    system: system?.content ?? "",
    user: user?.content ?? "",
  };
}
const part = (user: string, name: string): string =>
  new RegExp(`<${name}>\\s*([\\s\\S]*?)\\s*</${name}>`).exec(user)?.[1] ?? "";
const usage = { prompt_tokens: 100, completion_tokens: 10 };
const reply = (value: Json): ServerReply => ({ text: JSON.stringify(value), usage });

const ANSWERS: Readonly<Record<string, string>> = {
  "Where did Mia move?": "to Rome",
  "When did Mia move?": "May 2023",
  "王芳吃了什么？": "火锅",
  "What did Ben buy?": "No information available.",
};
/** Answers from the list; the strict judge wants the reference itself, the lenient one lets vague words pass, too. */
function knowing(request: SeenRequest): ServerReply {
  const { task, user } = requestOf(request);
  const question = part(user, "question");
  if (task === "answer")
    return reply({ reasoning: "", answer: ANSWERS[question] ?? "nothing", evidence: [] });
  const [reference, answer] = [part(user, "reference"), part(user, "answer")];
  const isSame = answer === reference;
  const isNear = answer.includes(reference) || /^(?:Something|与|May 2023)/.test(answer);
  return reply({ correct: task === "judge_strict" ? isSame : isSame || isNear, reasoning: "because" });
}

async function open(script: (request: SeenRequest) => ServerReply): Promise<ScriptedModel> {
  await scripted?.close();
  scripted = await scriptedModel(script);
  return scripted;
}
const answersIn = () =>
  readFileSync(join(folder, "answers.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((text) => answersLineSchema.parse(JSON.parse(text)));

describe("answers and judgements of a run", () => {
  test("every question is answered from what was recalled, scored and judged twice", async () => {
    const { model, server } = await open(knowing);
    const before = readFileSync(join(folder, "results.jsonl"), "utf8");
    const prices = { m: { inputPerMillion: 1000, outputPerMillion: 10_000 } };
    const judged = await judgeRun(folder, { model, prices });
    const measures = Object.fromEntries(
      answersIn().flatMap((line) => (line.type === "answer" ? [[line.question, line.measures]] : [])),
    );
    expect(measures).toEqual({
      q1: { f1: 2 / 3, answer_contains: 1, judge_lenient: 1, judge_strict: 0 },
      q2: { f1: 0.8, answer_contains: 0, judge_lenient: 1, judge_strict: 0 },
      q3: { f1: 1, answer_contains: 1, judge_lenient: 1, judge_strict: 1 },
      q4: { f1: 1, answer_contains: null, judge_lenient: 1, judge_strict: 1 },
      q5: { f1: 0, answer_contains: 0, judge_lenient: 0, judge_strict: 0 },
    });
    // Category 5 stands apart.
    expect(judged.overall.judge_strict).toMatchObject({ mean: 0.25, count: 4 });
    expect(judged.overall.f1?.mean).toBeCloseTo((2 / 3 + 0.8 + 1) / 4, 10);
    expect(judged.abstain.f1).toMatchObject({ mean: 1, count: 1 });
    expect(Object.keys(judged.byCategory)).toEqual(["2", "4", "5"]);
    // Nothing was found for q5, so nobody was asked: 4 answers of 100 and 10 tokens.
    expect(judged.cost.answers).toEqual({ calls: 4, inputTokens: 400, outputTokens: 40, usd: 0.8 });
    expect(judged.cost.judges).toMatchObject({ calls: 10, usd: 2 });
    expect(judged).toMatchObject({ failed: {}, models: { answer: "test:m", judge: "test:m" } });
    expect(JSON.parse(readFileSync(join(folder, "answers.json"), "utf8"))).toEqual(judged);
    expect(readFileSync(join(folder, "results.jsonl"), "utf8")).toBe(before);

    const requests = server.requests.map(requestOf);
    const first = requests.find(({ task, user }) => task === "answer" && user.includes("Where did Mia"));
    // What was shown is shown whole, with its time; the question with the time it was asked at.
    expect(first?.user).toContain("[0] Mia: I moved to Rome. (time: 2023-05-07T00:00Z)");
    expect(first?.user).toContain("2023-05-09T00:00Z");
    const chinese = requests.filter(({ user }) => user.includes("王芳吃了什么"));
    expect(chinese.length).toBeGreaterThanOrEqual(3);
    for (const { system } of chinese) expect(system).toMatch(/^(?:只根据|根据参考答案)/);
    // Who answers is told neither the right answer nor what kind of question it is.
    for (const { task, user } of requests)
      if (task === "answer") expect(user).not.toMatch(/reference|category|red scarf|Oslo/);
  });

  test("planted wrong answers tell what each judge lets pass", async () => {
    const { model } = await open(knowing);
    const { falsePositives } = await judgeRun(folder, { model, planted: 50 });
    const { judge_lenient: lenient, judge_strict: strict } = falsePositives;
    expect(strict.all).toMatchObject({ mean: 0, low: 0, high: 0 });
    expect(lenient.vague).toMatchObject({ mean: 1 });
    expect(lenient.trap).toMatchObject({ mean: 0, count: 1 });
    expect(lenient.shifted_date).toMatchObject({ mean: 0, count: 1 });
    expect(lenient.all?.count).toBe(answersIn().filter(({ type }) => type === "planted").length);
    expect(lenient.all?.mean).toBeCloseTo((lenient.vague?.count ?? 0) / (lenient.all?.count ?? 1), 10);
    expect(lenient.all?.low).toBeLessThan(lenient.all?.mean ?? 0);
    expect(lenient.all?.high).toBeGreaterThan(lenient.all?.mean ?? 1);
  });

  test("judges may be another model than who answers, and few hits may be shown", async () => {
    const judge = await scriptedModel(() => reply({ correct: true, reasoning: "" }));
    try {
      const { model, server } = await open(knowing);
      await judgeRun(folder, { model, judge: { ...judge.model, id: "j" }, hits: 1, planted: 0 });
      expect(new Set(server.requests.map((one) => requestOf(one).task))).toEqual(new Set(["answer"]));
      expect(judge.server.requests).toHaveLength(10);
      const shown = server.requests.map((one) => requestOf(one).user).find((user) => user.includes("Where"));
      expect(shown).not.toContain("火锅");
    } finally {
      await judge.close();
    }
  });

  test("what was stopped goes on and ends the same, and nothing is asked twice", async () => {
    const whole = await judgeRun(folder, { model: (await open(knowing)).model, planted: 4 });
    const all = scripted?.server.requests.length ?? 0;
    rmSync(join(folder, "answers.jsonl"));
    const dying = await open((request) =>
      requestOf(request).user.includes("red scarf") ? { status: 401 } : knowing(request),
    );
    await expect(judgeRun(folder, { model: dying.model, planted: 4 })).rejects.toMatchObject({
      code: "model_refused",
    });
    expect(answersIn().filter(({ type }) => type === "answer")).toHaveLength(LINES.length);
    appendFileSync(join(folder, "answers.jsonl"), '{"type":"answer","case":"c1","ques');
    const again = await open(knowing);
    expect(await judgeRun(folder, { model: again.model, planted: 4 })).toEqual(whole);
    expect(again.server.requests.map((one) => requestOf(one).task)).not.toContain("answer");
    expect(again.server.requests.length).toBeLessThanOrEqual(all - 14);
    const last = await open(knowing);
    expect(await judgeRun(folder, { model: last.model, planted: 4 })).toEqual(whole);
    expect(last.server.requests).toHaveLength(0);
  });

  test("another asking under the same name is refused with what differs, unless it is to start afresh", async () => {
    const { model } = await open(knowing);
    await judgeRun(folder, { model, planted: 0 });
    const other = { ...model, id: "n" };
    await expect(judgeRun(folder, { model: other, planted: 0 })).rejects.toMatchObject({
      code: "version_conflict",
      message: expect.stringContaining("answerModel was test:m and is test:n"),
    });
    const fresh = await judgeRun(folder, { model: other, planted: 0, isFresh: true });
    expect(fresh.models.answer).toBe("test:n");
    expect(answersIn().filter(({ type }) => type === "head")).toHaveLength(1);
    // Stopped on the way, a fresh start leaves no figures of the answers it threw away.
    const dying = await open(() => ({ status: 401 }));
    await expect(judgeRun(folder, { model: dying.model, isFresh: true })).rejects.toThrow();
    expect(existsSync(join(folder, "answers.json"))).toBe(false);
    await judgeRun(folder, { model: { ...(await open(knowing)).model, id: "n" }, planted: 0, isFresh: true });
    // A recall that was run again is another one, too.
    writeFileSync(
      join(folder, "results.jsonl"),
      LINES.map((line) => `${JSON.stringify({ ...line, hits: [] })}\n`).join(""),
    );
    await expect(judgeRun(folder, { model: other, planted: 0 })).rejects.toThrow(/results was/);
  });

  test("a question that fails by itself is kept with its reason, and asked again the next time", async () => {
    const failing = await open((request) => {
      const { task, user } = requestOf(request);
      return task === "answer" && user.includes("When did Mia")
        ? { text: "no idea", usage }
        : knowing(request);
    });
    const judged = await judgeRun(folder, { model: failing.model, planted: 0 });
    expect(judged.failed).toEqual({ reply_invalid: 1 });
    expect(judged.overall.f1?.count).toBe(3);
    expect(judged.cost.answers.calls).toBeGreaterThan(4);
    const healed = await judgeRun(folder, { model: (await open(knowing)).model, planted: 0 });
    expect(healed.failed).toEqual({});
    // What the attempt in vain has used is not forgotten.
    expect(healed.cost.answers.calls).toBe(judged.cost.answers.calls + 1);
    expect(healed.overall.f1?.count).toBe(4);
  });

  test("a category that holds both kinds of questions is two: where nothing is told, it stands apart", async () => {
    const mixed = LINES.map((line) => ({ ...line, category: "谁" }));
    writeFileSync(join(folder, "results.jsonl"), mixed.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { byCategory } = await judgeRun(folder, { model: (await open(knowing)).model, planted: 0 });
    expect(byCategory.谁?.f1?.count).toBe(4);
    expect(byCategory["谁 (abstain)"]?.f1).toMatchObject({ mean: 1, count: 1 });
  });

  test("only the last time a question was asked is answered; readers get both in one line", async () => {
    const later = LINES.map((line) => ({ ...line, point: { number: 2, of: 2, turns: 3 } }));
    const sooner = LINES.map((line) => ({ ...line, point: { number: 1, of: 2, turns: 1 }, hits: [] }));
    const lines = [...sooner, ...later];
    writeFileSync(join(folder, "results.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { model } = await open(knowing);
    await judgeRun(folder, { model, planted: 0 });
    const answers = answersIn().filter((line) => line.type === "answer");
    expect(answers).toHaveLength(LINES.length);
    const merged = withAnswers(lines, answers);
    expect(merged[0]).toEqual(sooner[0]);
    expect(merged[LINES.length]).toMatchObject({
      answer: "to Rome",
      measures: { "recall@5": 1, judge_lenient: 1, judge_strict: 0 },
    });
  });

  test("a folder without a run is refused with what would be valid", async () => {
    rmSync(join(folder, "summary.json"));
    const { model } = await open(knowing);
    await expect(judgeRun(folder, { model })).rejects.toThrow(/holds no finished run.*summary\.json.*Valid/);
  });
});

describe("the judges", () => {
  test("have prompts in every language, and none judges without a model", async () => {
    await checkPrompts(JUDGE_NAMES.map(judgeTask));
    for (const name of JUDGE_NAMES) {
      const { local } = judgeTask(name);
      expect(() => local({ question: "?", reference: "a", answer: "a" }, { language: "en" })).toThrow(
        /needs a model/,
      );
    }
  });

  test("may reply with the label of published judges", () => {
    const { reply: form } = judgeTask("judge_strict");
    expect(form.parse({ label: "WRONG" })).toEqual({ correct: false, reasoning: "" });
    expect(form.parse({ label: " 正确", reasoning: "x" })).toEqual({ correct: true, reasoning: "x" });
  });

  test("are asked with prompts of their own", async () => {
    const { model, server } = await open(() => reply({ correct: "yes", reasoning: "" }));
    const verdicts = await judgeBoth("谁？", "王芳", "王芳", { model, onBadReply: "throw" });
    expect(verdicts.judge_lenient.isRight && verdicts.judge_strict.isRight).toBe(true);
    const systems = server.requests.map((one) => requestOf(one).system);
    expect(systems.filter((text) => text.includes("从宽"))).toHaveLength(1);
    expect(systems.filter((text) => text.includes("有疑问时判为错误"))).toHaveLength(1);
  });
});
