import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { textLines } from "./text-lines.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-lines-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function linesOf(text: string): Promise<(string | number)[][]> {
  const path = join(folder, "lines");
  writeFileSync(path, text);
  return (await Array.fromAsync(textLines(path))).map((line) => [line.number, line.text]);
}

test("a line ends at a line feed and nowhere else", async () => {
  expect(await linesOf("红色的\u2028小提琴\u2029\u0085\n\n two\r\nlast")).toEqual([
    [1, "红色的\u2028小提琴\u2029\u0085"],
    [3, " two\r"],
    [4, "last"],
  ]);
  expect(await linesOf("")).toEqual([]);
});

test("a line is whole however many pieces of the file it spans", async () => {
  const long = "小提琴 violin ".repeat(20_000);
  expect(await linesOf(`a\n${long}b\nc\n`)).toEqual([
    [1, "a"],
    [2, `${long}b`],
    [3, "c"],
  ]);
});
