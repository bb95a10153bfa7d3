/** The command line as a process of its own: how it starts, what goes to which stream, how it is stopped. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const MAIN = resolve(import.meta.dirname, "main.ts");
const BIN = resolve(import.meta.dirname, "../../bin/neuromem.js");
const ENV = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_NO_WARNINGS: "1" };
/** Loading the engine from its sources takes a while where others work, too. */
const SLOW = 120_000;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-process-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(script: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    cwd: folder,
    encoding: "utf8",
    env: ENV,
  });
  return { status, stdout, stderr };
}

/** In a process of its own, beside others. */
async function started(words: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...words], { cwd: folder, env: ENV });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    stderr += data.toString();
  });
  await new Promise((done) => child.on("close", done));
  return { stdout, stderr };
}

test(
  "the binary starts from the sources of a clone, and ends with the command's code",
  () => {
    const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8"));
    expect(run(BIN, "--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
    expect(run(BIN, "nothing").status).toBe(2);
  },
  SLOW,
);

test(
  "results go to stdout, everything else to stderr; relative paths start where one is",
  () => {
    writeFileSync(join(folder, "talk.txt"), "Mia: I moved to Rome.\n王芳：我们去吃火锅。\n");
    const words = ["--preset", "bm25", "--db", "memory.db"];
    const { status, stdout, stderr } = run(MAIN, "import", "talk.txt", "--json", ...words);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ added: 2, entries: 2 });
    expect(stderr).toContain("2/2 turns");
    const { stdout: found } = run(MAIN, "recall", "火锅", ...words);
    expect(found).toMatch(/王芳: 我们去吃火锅。/);
  },
  SLOW,
);

test.skipIf(process.platform === "win32")(
  "whoever reads the output may stop reading; text may come through a pipe",
  () => {
    const sh = (line: string) => spawnSync("sh", ["-c", line], { cwd: folder, encoding: "utf8", env: ENV });
    const neuromem = `"${process.execPath}" "${MAIN}"`;
    const { stdout, stderr } = sh(`${neuromem} completion fish | head -n 1`);
    expect({ stdout, stderr }).toEqual({ stdout: "complete -c neuromem -e\n", stderr: "" });
    const words = "--preset bm25 --db memory.db";
    expect(sh(`echo '我搬到成都了。' | ${neuromem} remember - ${words}`).status).toBe(0);
    expect(sh(`echo 成都 | ${neuromem} recall - ${words}`).stdout).toContain("我搬到成都了。");
  },
  SLOW,
);

test(
  "two processes import one file at once: every turn is there once, and each is taken up once",
  async () => {
    const lines = Array.from({ length: 150 }, (_, place) => `Mia: line ${place} about Rome`);
    writeFileSync(join(folder, "long.txt"), lines.join("\n"));
    const words = ["import", "long.txt", "--preset", "bm25", "--db", "memory.db", "--json"];
    const both = await Promise.all([started(words), started(words)]);
    const results = both.map(({ stdout }) => JSON.parse(stdout));
    const sum = (key: "added" | "turns") => results.reduce((total, result) => total + result[key], 0);
    expect({ added: sum("added"), turns: sum("turns") }).toEqual({ added: 150, turns: 150 });
    expect(results.map(({ entries }) => entries)).toEqual([150, 150]);
  },
  SLOW,
);

test(
  "Ctrl-C ends after the current window, and the next run goes on",
  async () => {
    const lines = Array.from({ length: 120 }, (_, place) => `Mia: line ${place} about Rome`);
    writeFileSync(join(folder, "long.txt"), lines.join("\n"));
    const words = ["import", "long.txt", "--preset", "table/hipporag", "--db", "memory.db"];
    const child = spawn(process.execPath, [MAIN, ...words], { cwd: folder, env: ENV });
    let said = "";
    child.stderr.on("data", (data: Buffer) => {
      said += data.toString();
    });
    const ended = new Promise<number | null>((done) => child.on("exit", done));
    await expect.poll(() => said, { timeout: SLOW / 2 }).toMatch(/\d+\/120 turns/);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(said).toContain("Stopping after this window");
    expect(said).toContain("the same command goes on from here");
    const rest = JSON.parse(run(MAIN, ...words, "--json").stdout);
    expect(rest).toMatchObject({ added: 0, known: 120, waiting: 0, entries: 120 });
    expect(rest.turns).toBeGreaterThan(0);
  },
  SLOW,
);
