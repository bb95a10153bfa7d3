/** What the report says and what it never does, on runs written by hand. How it looks cannot be tested here. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { estimated, labQuestion, labSummary, NO_MODEL, writeLabRun } from "../../testing/lab-runs.ts";
import type { QuestionLine, RunSummary } from "../result.ts";
import { writeReport } from "./write-report.ts";

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), "neuromem-report-"));
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

async function report() {
  const written = await writeReport(out);
  return {
    ...written,
    page: readFileSync(written.html, "utf8"),
    text: readFileSync(written.markdown, "utf8"),
  };
}

/** The lines of the table below a heading. */
function tableBelow(text: string, title: string): string[] {
  const [, part = ""] = text.split(`### ${title}\n`);
  const lines = part.split("\n");
  const from = lines.findIndex((line) => line.startsWith("|"));
  return lines.slice(from, lines.indexOf("", from) === -1 ? undefined : lines.indexOf("", from));
}

function run(
  preset: string,
  more: Partial<RunSummary> = {},
  lines: readonly QuestionLine[] = [labQuestion("q1")],
) {
  return writeLabRun(out, labSummary(preset, more), lines);
}

describe("the tables", () => {
  test("runs of one data set stand in one table, best first, with intervals and the number of questions", async () => {
    run("bm25", {
      overall: { "recall@5": estimated(54.14, 50, 58), "recall@10": estimated(62.6, 60.4, 65.1) },
    });
    run("hybrid", {
      overall: { "recall@5": estimated(57, 53, 61), "recall@10": estimated(83.94, 81.2, 86.4) },
    });
    const { text } = await report();
    expect(tableBelow(text, "Quality")).toEqual([
      "| preset | recall@5, n 100 | recall@10, n 100 |",
      "| --- | ---: | ---: |",
      "| hybrid | 57.0 (53.0–61.0) | **83.9 (81.2–86.4)** |",
      "| bm25 | 54.1 (50.0–58.0) | 62.6 (60.4–65.1) |",
    ]);
    expect(text).toContain("sorted by recall@10");
    expect(text).toContain("its interval overlaps with no other's");
  });

  test.each([
    ["touching intervals", [estimated(80, 75, 85), estimated(70, 65, 75)]],
    [
      "a third one that is wider than the second",
      [estimated(80, 78, 82), estimated(70, 69, 71), estimated(60, 30, 90)],
    ],
    ["few questions", [estimated(100, 100, 100, 19), estimated(50, 40, 60, 19)]],
    ["one run alone", [estimated(80, 78, 82)]],
  ])("nothing is bold for %s", async (_, estimates) => {
    estimates.forEach((estimate, place) => {
      run(`preset${place}`, { overall: { "recall@10": estimate } });
    });
    const { text, page } = await report();
    expect(text).not.toContain("**");
    expect(page).not.toContain('class="best"');
  });

  test("where the numbers of questions differ, each value tells its own", async () => {
    run("bm25", { overall: { "recall@10": estimated(60, 50, 70, 98) } });
    run("dense", { overall: { "recall@10": estimated(50, 40, 60, 100), mrr: estimated(30, 20, 40) } });
    expect(tableBelow((await report()).text, "Quality")).toEqual([
      "| preset | recall@10 | mrr, n 100 |",
      "| --- | ---: | ---: |",
      "| bm25 | 60.0 (50.0–70.0), n 98 | – |",
      "| dense | 50.0 (40.0–60.0), n 100 | 30.0 (20.0–40.0) |",
    ]);
  });

  test("other data, even the first cases of the same, is another table, and nothing is averaged over both", async () => {
    const overall = (mean: number) => ({ "recall@10": estimated(mean, mean - 1, mean + 1) });
    const { dataset } = labSummary("x");
    run("bm25", { overall: overall(41) });
    run("bm25", { run: "bm25__few", dataset: { ...dataset, cases: 0, questions: 9 }, overall: overall(62) });
    run("bm25", {
      run: "bm25__other",
      dataset: { ...dataset, name: "对话", hash: "ff" },
      overall: overall(85),
    });
    const { text, page } = await report();
    expect(text.match(/^## (talks|对话)$/gm)).toHaveLength(3);
    const values = [...text.matchAll(/(\d+\.\d) \(/g)].map(([, value]) => value);
    expect([...new Set(values)].sort()).toEqual(["41.0", "62.0", "85.0"]);
    expect(text.match(/^\| bm25 \| \d\d\.0 \([^|]*\|$/gm)).toHaveLength(3);
    expect(page).toContain("<h2>对话</h2>");
  });

  test("category 5 stands apart; the others are columns, 2 before 10", async () => {
    const lines = ["1", "2", "10"].map((category) => labQuestion(`q${category}`, { category }));
    const trap = labQuestion("q5", { category: "5", expects: "abstain" });
    const byCategory = Object.fromEntries(
      ["10", "5", "2", "1"].map((name) => [name, { "recall@10": estimated(Number(name) * 5, 0, 60, 7) }]),
    );
    const overall = { "recall@10": estimated(50, 40, 60) };
    run("bm25", { overall, byCategory, abstention: estimated(61, 55, 66, 4) }, [...lines, trap]);
    const { text } = await report();
    expect(tableBelow(text, "recall@10 by category")).toEqual([
      "| preset | category 1, n 7 | category 2, n 7 | category 10, n 7 |",
      "| --- | ---: | ---: | ---: |",
      "| bm25 | 5.0 (0.0–60.0) | 10.0 (0.0–60.0) | 50.0 (0.0–60.0) |",
    ]);
    expect(tableBelow(text, "Questions that cannot be answered")).toEqual([
      "| preset | told apart by confidence, n 4 | category 5: recall@10, n 7 |",
      "| --- | ---: | ---: |",
      "| bm25 | 61.0 (55.0–66.0) | 25.0 (0.0–60.0) |",
    ]);
  });

  test("corrected labels stand beside the original ones, where they change anything", async () => {
    const overall = { "recall@10": estimated(50, 40, 60), mrr: estimated(30, 20, 40) };
    run("bm25", { overall, corrected: { ...overall, "recall@10": estimated(55, 45, 65) } });
    expect(tableBelow((await report()).text, "With corrected labels")).toEqual([
      "| preset | recall@10, n 100 | corrected recall@10, n 100 |",
      "| --- | ---: | ---: |",
      "| bm25 | 50.0 (40.0–60.0) | 55.0 (45.0–65.0) |",
    ]);
  });

  test("cost is in the units of what it costs; a model without a price is not free", async () => {
    const build = { calls: 12, inputTokens: 34_567, outputTokens: 890, usd: null };
    const { cost } = labSummary("x");
    const overall = { "recall@10": estimated(50, 40, 60), "tokens@10": estimated(41_200, 40_500, 41_900) };
    run("a", { overall, cost: { ...cost, build } });
    run("b", { cost: { ...cost, build: { ...build, usd: 0.01234 }, query: NO_MODEL } });
    expect(tableBelow((await report()).text, "Cost")).toEqual([
      "| preset | tokens@10, n 100 | tokens of the prompt's block | build | build per turn | query p50 | query p95 | on disk | peak memory | entries | build calls | build tokens in | build tokens out | build $ | query calls |",
      `| --- |${" ---: |".repeat(14)}`,
      "| a | 412 (405–419) | 12 | 1.5 s | 38 ms | 3.3 ms | 120 ms | 2.5 MB | 181 MB | 1,234 | 12 | 34,567 | 890 | no price known | 0 |",
      "| b | – | 12 | 1.5 s | 38 ms | 3.3 ms | 120 ms | 2.5 MB | 181 MB | 1,234 | 12 | 34,567 | 890 | $0.012 | 0 |",
    ]);
  });

  test("growth: a row for every point, and a plot of each quantity", async () => {
    const byPoint = [1, 2].map((point) => ({
      ...{ point, turns: 20 * point, entries: 21 * point, bytes: 1000 * point, queryMsP50: point },
      overall: { "recall@10": estimated(90 - point, 80, 95, point) },
    }));
    run("bm25", { overall: { "recall@10": estimated(88, 80, 95) }, byPoint });
    const { text, page } = await report();
    expect(tableBelow(text, "Growth").slice(2)).toEqual([
      "| bm25 | 1 | 20 | 89.0 (80.0–95.0) | 1 | 21 | 1.0 kB | 1 ms |",
      "| bm25 | 2 | 40 | 88.0 (80.0–95.0) | 2 | 42 | 2.0 kB | 2 ms |",
    ]);
    expect(page.match(/aria-label="Growth: [^"]+"/g)).toEqual([
      'aria-label="Growth: recall@10, per cent"',
      'aria-label="Growth: entries"',
      'aria-label="Growth: on disk"',
      'aria-label="Growth: query, median"',
    ]);
  });

  test("what all runs share is said once, what differs is a column", async () => {
    run("bm25");
    run("dense", { embedder: { id: "minilm", hash: "abcdefabcdefabcdef" }, git: null });
    const { text } = await report();
    expect(text).toContain("- seed: 7\n");
    expect(text).toContain("- machine: 2 × Tiny, 4 GB, linux-x64, Node 24.0.0\n");
    expect(text).toContain("| run | preset | data set | embedder |");
    expect(text).toContain(
      "| dense__talks | dense (dense-hash) | talks (0123456789) | minilm (abcdefabcd) |",
    );
  });

  test("a model's answers that lie beside a run join its measures, and judges are told by what they let pass", async () => {
    const folder = run("bm25", { overall: { "recall@10": estimated(50, 40, 60) } });
    const use = { calls: 1, inputTokens: 10, outputTokens: 2, usd: 0 };
    writeFileSync(
      join(folder, "answers.json"),
      JSON.stringify({
        models: { answer: "local:small", judge: "local:large" },
        overall: { f1: estimated(33, 30, 36), judge_strict: estimated(20, 10, 30) },
        abstain: {},
        falsePositives: { judge_strict: { all: estimated(12, 8, 16) } },
        failed: { reply_invalid: 2 },
        cost: { answers: use, judges: use, planted: use },
      }),
    );
    const answer = { type: "answer", case: "talk-1", question: "q1", answer: "罗马", measures: { f1: 0.5 } };
    writeFileSync(
      join(folder, "answers.jsonl"),
      `${JSON.stringify({ ...answer, reasons: {}, use: { answer: use, judges: use } })}\n`,
    );
    const { text, page } = await report();
    expect(tableBelow(text, "Quality")[2]).toBe(
      "| bm25 | 50.0 (40.0–60.0) | 33.0 (30.0–36.0) | 20.0 (10.0–30.0) |",
    );
    expect(text).toContain("- judges: local:large\n");
    const [head, , row] = tableBelow(text, "Answers by a model");
    expect(head).toContain("| answered by | judged by | judge_strict lets pass, n 100 | failed |");
    expect(row).toContain("| local:small | local:large | 12.0 (8.0–16.0) | 2 |");
    expect(embeddedIn(page).groups[0].runs[0].lines[0]).toMatchObject({ a: "罗马", m: [1, 0.5, null] });
  });
});

/** What the page's script reads. */
function embeddedIn(page: string) {
  const [, json = ""] =
    /<script type="application\/json" id="questions-data">(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(json);
}

const EVIL = `</script><script>alert(1)</script><img src=x onerror=alert(2)> "'&| <!-- 张伟`;

describe("the page", () => {
  const overall = { "recall@5": estimated(50, 40, 60), "recall@10": estimated(60, 50, 70) };

  test("text from results is data: it cannot become markup, wherever it stands", async () => {
    const { dataset } = labSummary("x");
    const line = labQuestion(EVIL, {
      ...{ text: EVIL, category: EVIL, answers: [EVIL], evidence: [EVIL], answer: EVIL, error: EVIL },
      hits: [{ refs: [EVIL], score: 1, tokens: 1, text: EVIL }],
    });
    writeLabRun(
      out,
      {
        ...labSummary("x", { overall, byCategory: { [EVIL]: overall, b: overall } }),
        ...{ run: "x__evil", preset: { name: EVIL, hash: EVIL }, models: { chat: EVIL, judges: [EVIL] } },
        dataset: { ...dataset, name: EVIL, leftOut: { [EVIL]: 1 } },
      },
      [line, labQuestion("q", { category: "b" })],
    );
    const { page, text } = await report();
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script/g)).toHaveLength(2);
    expect(page).not.toMatch(/<img|<!--/);
    expect(text).not.toMatch(/<img|<script/);
    // Every row of a table keeps its number of cells: a bar in a name ends none.
    for (const [head = "", ...rows] of text.split("\n\n").map((part) => part.split("\n"))) {
      const cells = (row: string) => row.replaceAll("\\|", "").split("|").length;
      if (head.startsWith("|")) for (const row of rows) expect(cells(row)).toBe(cells(head));
    }
    // What was escaped is whole again for who reads it.
    expect(embeddedIn(page).groups[0].memories[0]).toEqual([[EVIL], EVIL]);
  });

  test("tags are closed, ids are unique, nothing is loaded, and no other script may run", async () => {
    run("bm25", { overall });
    run("dense", { overall });
    run("dense", { run: "dense__again", overall });
    const { page } = await report();
    expect(unbalanced(page)).toEqual([]);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
    expect(page).not.toMatch(/\s(src|srcset|href|action|data|poster)=(?!"#)|@import|url\(|https?:|\bfetch\(/);
    expect(page).toMatch(/Content-Security-Policy" content="default-src 'none';[^"]*script-src 'sha256-/);
    // Two runs of one preset are told apart by their names.
    expect(
      embeddedIn(page)
        .groups[0].runs.map(({ label }: { label: string }) => label)
        .sort(),
    ).toEqual(["bm25", "dense__again", "dense__talks"]);
  });

  test("its script is whole", async () => {
    run("bm25", { overall });
    const [, code = ""] = /<script>(.*?)<\/script>/s.exec((await report()).page) ?? [];
    expect(code).toContain("compareQuestions");
    expect(() => new Script(code)).not.toThrow();
  });

  test("each question is there as it was asked last in the stream, with ten hits, whatever the order of the lines", async () => {
    const hits = Array.from({ length: 12 }, (_, place) => ({
      ...{ refs: [`1:${place}`], score: 1 / (place + 1), tokens: 3, text: `${place} ${"长".repeat(500)}` },
    }));
    const asked = (number: number, value: number) =>
      labQuestion("q1", {
        point: { number, of: 3, turns: 10 * number },
        measures: { "recall@5": value },
        hits,
      });
    run("bm25", { overall }, [asked(3, 0.25), asked(1, 1), asked(2, 0.5)]);
    const [group] = embeddedIn((await report()).page).groups;
    expect(group.questions).toHaveLength(1);
    expect(group.runs[0].lines).toEqual([expect.objectContaining({ q: 0, m: [0.25, null] })]);
    expect(group.runs[0].lines[0].h).toHaveLength(10);
    expect(group.memories[9][1]).toBe(`9 ${"长".repeat(298)}…`);
  });

  test("it stays small, and says what it left out", async () => {
    const lines = Array.from({ length: 1500 }, (_, number) =>
      labQuestion(`q${number}`, {
        hits: Array.from({ length: 10 }, (_, place) => ({
          ...{ refs: [`${number}:${place}`], score: 1, tokens: 50 },
          text: `${number} ${place} ${"long text ".repeat(60)}`,
        })),
      }),
    );
    run("bm25", { overall }, lines);
    const { page } = await report();
    expect(page.length).toBeLessThan(4_300_000);
    const [group] = embeddedIn(page).groups;
    const { cut } = embeddedIn(page);
    expect(cut.text).toBeLessThan(300);
    expect(page).toContain(`the first ${cut.hits} hits and the first ${cut.text} characters`);
    expect(group.questions).toHaveLength(1500);
  });
});

describe("what is refused", () => {
  test("a folder without a finished run, with the runs that are not finished", async () => {
    mkdirSync(join(out, "half"));
    writeFileSync(join(out, "half", "results.jsonl"), "");
    await expect(writeReport(out)).rejects.toThrow(/no finished run.*Not finished yet: half\./s);
    await expect(writeReport(join(out, "nowhere"))).rejects.toMatchObject({ code: "input_invalid" });
  });

  test("beside a finished one, an unfinished run is named in the report", async () => {
    run("bm25");
    mkdirSync(join(out, "half"));
    writeFileSync(join(out, "half", "results.jsonl"), "");
    const { unfinished, text, page } = await report();
    expect(unfinished).toEqual(["half"]);
    expect(text).toContain("Not finished, and not in here: half.");
    expect(page).toContain("Not finished, and not in here: half.");
  });

  test.each([
    ["summary.json", "{", /summary\.json.*no whole JSON/],
    ["summary.json", '{"format":2}', /format/],
    ["results.jsonl", '{"type":"question"}\n', /line 1/],
    ["results.jsonl", "{\n", /line 1 holds no whole JSON/],
  ])("%s with %j, naming the file", async (file, text, message) => {
    writeFileSync(join(run("bm25"), file), text);
    await expect(writeReport(out)).rejects.toThrow(message);
  });
});

/** Tags that are not closed, or closed in another order than opened. */
function unbalanced(page: string): string[] {
  const VOID = new Set(["meta", "input", "br"]);
  const bare = page.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, "").replace("<!doctype html>", "");
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, end, name = "", closed] of bare.matchAll(/<(\/?)([a-z0-9]+)(?:"[^"]*"|[^">])*?(\/?)>/g)) {
    if (VOID.has(name) || closed === "/") continue;
    if (end === "") open.push(name);
    else if (open.pop() !== name) wrong.push(name);
  }
  return [...wrong, ...open];
}
