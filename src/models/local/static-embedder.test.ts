import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cosine } from "../../math/cosine.ts";
import { testEmbedder } from "../../testing/model-suite.ts";
import { type BuiltInLanguage, findModelPackage, type ModelPackage } from "./model-package.ts";
import { phraseRows } from "./phrase-rows.ts";
import { staticEmbedder } from "./static-embedder.ts";
import { decodeStaticTable, encodeStaticTable } from "./static-table.ts";

function packageOf(language: BuiltInLanguage): ModelPackage {
  const model = findModelPackage(language);
  if (model === undefined) throw new Error(`The package of "${language}" is not linked; run npm install.`);
  return model;
}

/** A query, what answers it, and what does not. */
const NEAR_AND_FAR = {
  en: [
    [
      "Which pet did she get?",
      "I adopted a little kitten from the shelter.",
      "The invoice is due on Monday.",
    ],
    [
      "When is the doctor's visit?",
      "My dentist appointment is on Friday.",
      "The mountains were full of snow.",
    ],
    ["What instrument does he play?", "I have been practising the violin.", "We parked behind the bank."],
  ],
  zh: [
    ["养了什么宠物", "周末从收容所抱回来一只流浪猫", "发票星期一到期"],
    ["去医院的时间", "下周四要去看牙医", "山上全是雪"],
    ["会什么乐器", "小时候练过八年钢琴", "车停在银行后面"],
  ],
} as const;

describe.each(["en", "zh"] as const)("the static table of %s", (language) => {
  const embedder = staticEmbedder(packageOf(language));
  testEmbedder({ name: `static ${language}`, open: () => embedder, tolerance: 0 });

  test.each(NEAR_AND_FAR[language].map((row) => [...row]))("%s", async (query, near, far) => {
    const [q, a, b] = await embedder.embed([query, near, far]);
    expect(cosine(q!, a!)).toBeGreaterThan(cosine(q!, b!) + 0.05);
  });

  test("its space is not the encoder's", () => {
    expect(embedder.id).not.toBe(packageOf(language).id);
    expect(embedder.dimension).toBe(packageOf(language).static.dimension);
  });

  test("what is empty or invisible is refused by its place (C-22); emoji are not", async () => {
    for (const text of ["", "  \n", "\u200b"]) {
      await expect(embedder.embed(["fine", text])).rejects.toMatchObject({
        code: "input_invalid",
        details: { index: 1 },
      });
    }
    const [emoji] = await embedder.embed(["🎉"]);
    expect(Math.hypot(...emoji!)).toBeCloseTo(1, 5);
  });

  test("a file that is cut, foreign or of another package is refused", async () => {
    const model = packageOf(language);
    const directory = mkdtempSync(join(tmpdir(), "neuromem-static-"));
    const whole = readFileSync(join(model.directory, "static.bin"));
    const other = readFileSync(join(packageOf(language === "en" ? "zh" : "en").directory, "static.bin"));
    copyFileSync(join(model.directory, "vocab.txt"), join(directory, "vocab.txt"));
    try {
      for (const bytes of [whole.subarray(0, -1), whole.subarray(1), Buffer.alloc(3), other]) {
        writeFileSync(join(directory, "static.bin"), bytes);
        const refused = staticEmbedder({ ...model, directory }).embed(["a"]);
        await expect(refused).rejects.toMatchObject({ code: "option_invalid" });
      }
      rmSync(join(directory, "static.bin"));
      const missing = staticEmbedder({ ...model, directory }).embed(["a"]);
      await expect(missing).rejects.toMatchObject({ code: "missing_dependency" });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

test("a table read back from its bytes is the same", () => {
  const table = {
    dimension: 3,
    rowOfToken: Int32Array.of(-1, 0, 1),
    scales: Float32Array.of(0.5, 0.25, 2),
    codes: Int8Array.of(1, -2, 3, 127, -127, 0, 7, 8, 9),
    phrases: ["图书馆"],
  };
  expect(decodeStaticTable(encodeStaticTable(table), "it")).toEqual(table);
  const without = { ...table, phrases: [] };
  expect(decodeStaticTable(encodeStaticTable(without), "it")).toEqual(without);
});

describe("phraseRows", () => {
  const idList = fc.array(fc.nat(4), { minLength: 1, maxLength: 12 });
  const phraseList = fc.uniqueArray(fc.array(fc.nat(4), { minLength: 2, maxLength: 4 }), {
    selector: String,
    maxLength: 12,
  });

  test("is the longest phrase from the left, else the token", () => {
    const rowOfToken = Int32Array.of(0, 1, -1, 2, 3);
    fc.assert(
      fc.property(idList, phraseList, (ids, phrases) => {
        const rows: number[] = [];
        phraseRows(rowOfToken, phrases, 100).forEach(ids, (row) => rows.push(row));
        expect(rows).toEqual(plainly(ids, phrases, rowOfToken));
      }),
    );
  });

  function plainly(ids: readonly number[], phrases: readonly number[][], rowOfToken: Int32Array): number[] {
    const out: number[] = [];
    for (let at = 0; at < ids.length; ) {
      const fits = phrases
        .map((phrase, i) => ({ phrase, row: 100 + i }))
        .filter(({ phrase }) => phrase.every((id, i) => ids[at + i] === id))
        .sort((a, b) => b.phrase.length - a.phrase.length);
      const row = fits[0]?.row ?? rowOfToken[ids[at] ?? 0] ?? -1;
      if (row >= 0) out.push(row);
      at += fits[0]?.phrase.length ?? 1;
    }
    return out;
  }
});
