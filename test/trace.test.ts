/** `npm run trace`, run as a process in a small project of its own. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const SCRIPT = resolve(import.meta.dirname, "../scripts/trace.ts");
let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "neuromem-trace-"));
  const numbers = ["S0-1", "S0-2", "S0-3", "S0-4", "C-1", "C-2"];
  write(
    "docs/requirements.md",
    numbers.map((number) => `- **${number}** What ${number} asks for.`).join("\n"),
  );
});

afterEach(() => rmSync(project, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

/** A test as source text; put together here so that this file itself cites nothing. */
function source(call: string, cited: string, what: string): string {
  return `${call}("${what} [${cited}]", () => undefined);\n`;
}

function trace(...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...options], {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
  });
  return { status, stdout, stderr };
}

test("prints requirement, tests and what has none yet, with counts", () => {
  write("src/deep/a.test.ts", source("test", "S0-1", "single"));
  write("test/b.test.ts", source("describe", "S0-2..S0-3, C-1", "list and range"));
  write("web/app/c.test.tsx", source("it", "C-1", "web"));
  const { status, stdout, stderr } = trace();
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("S0-1  What S0-1 asks for.\n    src/deep/a.test.ts: single [S0-1]");
  expect(stdout).toContain("S0-3  What S0-3 asks for.\n    test/b.test.ts: list and range");
  expect(stdout).toMatch(/C-1 {2}.*\n {4}test\/b\.test\.ts.*\n {4}web\/app\/c\.test\.tsx/);
  expect(stdout).toContain("4 of 6 requirements are shown by a test.");
  expect(stdout).toContain("S0  1 of 4: S0-4");
  expect(stdout).toContain("C  1 of 2: C-2");
});

test("facts of published designs count like requirements", () => {
  write("docs/requirements.md", "- **C-1** Ours.\n- **P4-1** First fact.\n- **P4-2** Second fact.\n");
  write("test/presets/memorybank.test.ts", source("test", "P4-2", "retention"));
  expect(JSON.parse(trace("--json").stdout)).toMatchObject({ shown: 1, missing: ["C-1", "P4-1"] });
  expect(trace().stdout).toContain("P4  1 of 2: P4-1");
  write("src/a.test.ts", source("test", "P4-3", "wrong"));
  expect(trace().stderr).toContain("cites P4-3, which docs/requirements.md does not list.");
});

test("--json prints the same as JSON", () => {
  write("bench/a.test.ts", source("test.each([1, 2])", "S0-4", "each"));
  const report = JSON.parse(trace("--json").stdout);
  expect(report).toMatchObject({ total: 6, shown: 1, missing: ["S0-1", "S0-2", "S0-3", "C-1", "C-2"] });
  expect(report.requirements[3]).toEqual({
    id: "S0-4",
    text: "What S0-4 asks for.",
    tests: [{ file: "bench/a.test.ts", name: "each [S0-4]" }],
  });
});

test("conformance suites count; skipped tests, other strings, sources and node_modules do not", () => {
  write("src/testing/x-suite.ts", source("test", "S0-1", "suite"));
  write("src/a.test.ts", source("test.skip", "S0-2", "skipped") + source("test.todo", "S0-2", "to do"));
  write("src/b.test.ts", source("expect", "S0-3", "a value"));
  write("src/c.ts", source("test", "S0-4", "no test file"));
  write("web/node_modules/d.test.ts", source("test", "C-1", "not ours"));
  expect(JSON.parse(trace("--json").stdout).missing).toEqual(["S0-2", "S0-3", "S0-4", "C-1", "C-2"]);
});

test.each([
  [
    "a number that is not listed",
    "S0-9",
    "src/a.test.ts: wrong [S0-9] cites S0-9, which docs/requirements.md does not list.",
  ],
  ["a range that leaves the list", "S0-3..S0-5", "cites S0-5, which docs/requirements.md does not list."],
  ["a range that goes back", "S0-3..S0-1", "Valid: [S0-61], [S0-61, C-9] or [S3-9..S3-12]."],
  ["a range over two documents", "S0-1..C-2", "Valid: [S0-61], [S0-61, C-9] or [S3-9..S3-12]."],
  ["a list with a hole", "S0-1,", "Valid: [S0-61], [S0-61, C-9] or [S3-9..S3-12]."],
])("refuses %s", (_, cited, sentence) => {
  write("src/a.test.ts", source("test", cited, "wrong"));
  const { status, stdout, stderr } = trace();
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain(sentence);
});

test("refuses an unknown option, a number listed twice and a missing document", () => {
  expect(trace("--jsn")).toMatchObject({ status: 2, stderr: 'Unknown option "--jsn". Valid: --json.\n' });
  write("docs/requirements.md", "- **C-1** once\n- **C-1** twice\n");
  expect(trace()).toMatchObject({ status: 2, stderr: "docs/requirements.md lists C-1 twice.\n" });
  rmSync(join(project, "docs"), { recursive: true });
  expect(trace().stderr).toContain("run this in the project's folder");
});

test("our own tests cite only what our own document lists", () => {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, "--json"], {
    cwd: resolve(import.meta.dirname, ".."),
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
