import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { QuestionLine } from "../result.ts";
import { openResults, readResults } from "./results-file.ts";

const line = (text: string): QuestionLine => ({
  ...{ type: "question", case: "c", question: "q", text, category: "1", expects: "answer" },
  ...{ point: { number: 1, of: 1, turns: 1 }, evidence: [], answers: [], hits: [], contextTokens: null },
  ...{ confidence: null, measures: {}, times: { queryMs: 1, stagesMs: {} } },
});

test("lines in which another program left such signs as they are can be read, and a run goes on after them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "results-"));
  try {
    const path = join(folder, "results.jsonl");
    const asked = line("红色的\u2028小提琴");
    await writeFile(path, `${JSON.stringify(asked)}\n{"type":"ques`);
    const results = await openResults(path);
    expect(results.has(asked)).toBe(true);
    await results.close();
    expect(await readResults(path)).toEqual([asked]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("signs that some readers take for the end of a line do not stand in one, and come back as they were", async () => {
  const folder = await mkdtemp(join(tmpdir(), "results-"));
  try {
    const path = join(folder, "results.jsonl");
    const results = await openResults(path);
    const asked = line("first\u2028second\u2029第三\nfourth");
    await results.append(asked);
    await results.close();
    expect((await readFile(path, "utf8")).trimEnd()).not.toMatch(/[\n\r\u2028\u2029]/);
    expect(await readResults(path)).toEqual([asked]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
