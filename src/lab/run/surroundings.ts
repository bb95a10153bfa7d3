/** Where and with what was a run made? The state of the sources, the machine, the version: read once, for the summary. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { RunSummary } from "../result.ts";

/** The same place from src/lab/run/ and from dist/lab/run/. */
const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
const GB = 2 ** 30;
const PATIENCE_MS = 10_000;
const run = promisify(execFile);

export async function surroundings(): Promise<Pick<RunSummary, "git" | "machine" | "version">> {
  const processors = cpus();
  return {
    git: await gitState(PACKAGE),
    machine: {
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      cpus: processors.length,
      cpu: processors[0]?.model.trim() ?? "unknown",
      memoryGb: Math.round((10 * totalmem()) / GB) / 10,
    },
    version: /"version": "([^"]+)"/.exec(readFileSync(`${PACKAGE}/package.json`, "utf8"))?.[1] ?? "?",
  };
}

/** null where there is no git, no repository, or one that does not hold this package's sources. */
export async function gitState(folder: string): Promise<RunSummary["git"]> {
  const git = async (...words: string[]): Promise<string> =>
    (await run("git", words, { cwd: folder, timeout: PATIENCE_MS })).stdout.trim();
  try {
    await git("ls-files", "--error-unmatch", "package.json");
    const commit = await git("rev-parse", "HEAD");
    return { commit, isClean: (await git("status", "--porcelain")) === "" };
  } catch {
    return null;
  }
}
