/** docs/api.md is written from the sources of Memory and from examples/api. `vitest run test/api-docs.test.ts -u` writes it anew. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiPage, methodsOf } from "../scripts/api-page.ts";
import { Memory } from "../src/runtime/memory.ts";

const ROOT = resolve(import.meta.dirname, "..");
const EXAMPLES = join(ROOT, "examples/api");
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-api-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("the page of calls is up to date", async () => {
  await expect(await apiPage(ROOT)).toMatchFileSnapshot(join(ROOT, "docs/api.md"));
});

test("every call of Memory is on the page, with an example", async () => {
  const names = Object.getOwnPropertyNames(Memory.prototype).filter(
    (name) => !["constructor", "preset"].includes(name),
  );
  const shown = methodsOf(await readFile(join(ROOT, "src/runtime/memory.ts"), "utf8")).map(
    ({ name }) => name,
  );
  expect([...shown].sort()).toEqual(["open", ...names].sort());
  const examples = (await readdir(EXAMPLES)).map((file) => file.replace(".ts", ""));
  expect(shown.filter((name) => !examples.includes(name))).toEqual([]);
});

test("every example runs as printed, and its assertions hold", { timeout: 120_000 }, async () => {
  const files = await readdir(EXAMPLES);
  for (const file of files) {
    const code = await readFile(join(EXAMPLES, file), "utf8");
    await writeFile(join(folder, file), fromSources(code));
  }
  await mkdir(join(folder, "run"));
  const all = files.map((file) => `await import("../${file}");\n`).join("");
  await writeFile(join(folder, "run", "all.ts"), `${all}console.log("all of them ran");\n`);
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", "all.ts"], {
    cwd: join(folder, "run"),
  });
  expect(stdout).toContain("all of them ran");
});

/** The sources instead of the built package. */
function fromSources(code: string): string {
  return code
    .replaceAll('from "neuromem"', `from ${JSON.stringify(join(ROOT, "src/index.ts"))}`)
    .replace(/"neuromem\/(\w+)"/g, (_, name) => JSON.stringify(join(ROOT, `src/${name}/index.ts`)));
}
