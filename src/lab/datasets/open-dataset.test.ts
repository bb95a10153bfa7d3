/** What openDataset does for every kind: specs, packed files, hashes, and words for what cannot be read. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDataset } from "./open-dataset.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-datasets-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const TALK = JSON.stringify([
  {
    sample_id: "one",
    conversation: { session_1: [{ speaker: "Ada", dia_id: "D1:1", text: "我买了一辆自行车。" }] },
    qa: [{ question: "Ada买了什么？", answer: "自行车", evidence: ["D1:1"], category: 4 }],
  },
]);
const AUDIT = JSON.stringify([
  {
    question_id: "locomo_0_qa0",
    question: "Ada买了什么？",
    correct_evidence: ["D1:1"],
    correct_answer: "车",
  },
]);
const sha = (...parts: string[]) => createHash("sha256").update(parts.join("")).digest("hex");

describe("files", () => {
  test("a packed file is the same data set as the plain one, whatever the names say", async () => {
    const plain = await openDataset(`locomo=${file("talk.json.gz", TALK)}`);
    const packed = await openDataset(`locomo=${file("other.txt", gzipSync(TALK))}`);
    expect(packed).toEqual({ ...plain, name: "other.txt" });
    expect(plain).toMatchObject({ kind: "locomo", name: "talk", hash: sha(TALK) });
  });

  test("the hash is of all files, those that were found among them, in their order", async () => {
    const talk = file("locomo_x.json", TALK);
    const alone = await openDataset(`locomo=${talk}`);
    const audit = file("audit_x.json", AUDIT);
    expect(alone.hash).toBe(sha(TALK));
    expect((await openDataset(`locomo=${talk}`)).hash).toBe(sha(TALK, AUDIT));
    expect((await openDataset(`locomo=${talk},${audit}`)).hash).toBe(sha(TALK, AUDIT));
  });

  test("JSON in lines, a byte order mark and a comma in a path are no hindrance", async () => {
    mkdirSync(join(folder, "a,b"));
    const [talk] = JSON.parse(TALK);
    const other = { ...talk, sample_id: "two" };
    const path = file("a,b/talk.jsonl", `\uFEFF${JSON.stringify(talk)}\n${JSON.stringify(other)}\n`);
    const audit = file("audit.json", AUDIT);
    const { cases } = await openDataset(`locomo=${path},${audit}`);
    expect(cases.map(({ id }) => id)).toEqual(["one", "two"]);
    expect(cases[0]?.questions[0]?.corrected).toEqual({ answers: ["车"] });
  });
});

describe("refusals", () => {
  test.each([
    ["talk.json", "Valid: KIND=PATH[,PATH…] with KIND one of locomo, longmemeval"],
    ["lokomo=talk.json", 'Did you mean "locomo"?'],
    ["locomo=", "names no data set"],
    ["longmemeval=a.json,b.json", "names 2 files. Valid: longmemeval=QUESTIONS."],
  ])("the spec %s", async (spec, message) => {
    await expect(openDataset(spec)).rejects.toMatchObject({
      code: "option_invalid",
      message: expect.stringContaining(message),
    });
  });

  const wrong = (change: (talk: Record<string, unknown>[]) => void): string => {
    const talk = JSON.parse(TALK);
    change(talk);
    return JSON.stringify(talk);
  };

  test.each<[string, string | Uint8Array, string]>([
    ["text", "hello", "holds no JSON"],
    ["half of a file", TALK.slice(0, 60), "holds no JSON"],
    ["half of a packed file", gzipSync(TALK).subarray(0, 60), "is a gzip file that is cut or broken"],
    ["an archive", "PK\u0003\u0004rest", "is a zip archive"],
    ["another kind", '{"_metadata": {}, "dialogues": []}', "looks like realmem, not like locomo"],
    ["an empty list", "[]", "Nothing is said in"],
    ["no questions", wrong(([one]) => Object.assign(one ?? {}, { qa: [] })), "Nothing is asked in"],
    ["no questions at all", wrong(([one]) => delete one?.qa), "0.qa: "],
    ["a wrong category", TALK.replace('"category":4', '"category":"single-hop"'), "0.qa.0.category: "],
    ["a turn without text", TALK.replace('"text"', '"texts"'), "session_1 of one in"],
  ])("%s", async (_, content, message) => {
    const path = file("talk.json", content);
    const error = await openDataset(`locomo=${path}`).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "input_invalid", message: expect.stringContaining(message) });
    // Which file, what was expected, and where it is published.
    expect(error).toMatchObject({ message: expect.stringContaining(path) });
    expect(error).toMatchObject({
      message: expect.stringMatching(/sample_id.*https:\/\/github\.com\/snap-research\/locomo/s),
    });
  });

  test("a file that is not there, and a folder in its place", async () => {
    await expect(openDataset(`locomo=${join(folder, "gone.json")}`)).rejects.toThrow(
      /gone\.json could not be read/,
    );
    await expect(openDataset(`locomo=${folder}`)).rejects.toThrow("is a folder, and a file is needed");
    await expect(openDataset(`realmem=${folder}`)).rejects.toThrow(/holds no RealMem file.*RealMemBench/s);
  });

  test("a broken file beside the data is told, not passed over", async () => {
    const talk = file("locomo_x.json", TALK);
    file("audit_x.json", AUDIT.slice(0, 40));
    await expect(openDataset(`locomo=${talk}`)).rejects.toThrow(/audit_x\.json holds no JSON/);
  });
});

test("the example of docs/laboratory.md is one", async () => {
  const path = fileURLToPath(new URL("../../../examples/lab/talk.json", import.meta.url));
  const { kind, cases } = await openDataset(`locomo=${path}`);
  const [one] = cases;
  expect([kind, one?.turns.length, one?.questions.length]).toEqual(["locomo", 5, 4]);
  expect(one?.questions.map(({ evidence }) => evidence.length)).toEqual([1, 1, 1, 0]);
});
