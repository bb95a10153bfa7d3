/** scripts/clean.ts, run as a process in a small project of its own. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let outside: string;
let project: string;

beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), "neuromem-clean-"));
  project = join(outside, "project");
  for (const folder of ["project/scripts", "project/src", "project/dist/deep", "other"]) {
    mkdirSync(join(outside, folder), { recursive: true });
  }
  copyFileSync(resolve(import.meta.dirname, "../scripts/clean.ts"), join(project, "scripts/clean.ts"));
});

afterEach(() => rmSync(outside, { recursive: true }));

const clean = (...folders: string[]) =>
  spawnSync(process.execPath, [join(project, "scripts/clean.ts"), ...folders], {
    cwd: outside,
    encoding: "utf8",
  });

test("removes a folder of the project, wherever it is called from; one that is not there is fine", () => {
  expect(clean("dist", "coverage").status).toBe(0);
  expect(existsSync(join(project, "dist"))).toBe(false);
});

test("refuses what is not inside the project, the project itself, and what no build makes", () => {
  symlinkSync(join(outside, "other"), join(project, "link"));
  for (const folder of [
    ".",
    "..",
    "../other",
    join(outside, "other"),
    "dist/../../other",
    "link",
    "src",
    "src/../src",
  ]) {
    const { status, stderr } = clean(folder);
    expect({ folder, status }).toEqual({ folder, status: 2 });
    expect(stderr).toContain("Valid: a folder inside the project");
  }
  expect(clean().status).toBe(2);
  for (const kept of ["other", "project/src", "project/dist"])
    expect(existsSync(join(outside, kept))).toBe(true);
});
