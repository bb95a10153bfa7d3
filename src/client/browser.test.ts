/** The client runs where there is no Node: nothing it loads needs one, and it works without what only Node has. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServedMemory, serveMemory } from "../../test/fixtures/served-memory.ts";
import { stripSource } from "../../test/source-text.ts";

const INDEX = resolve(import.meta.dirname, "index.ts");
const PAGE = resolve(import.meta.dirname, "../../test/fixtures/bare-page.ts");
const SOURCES = resolve(import.meta.dirname, "..");

let served: ServedMemory;
beforeAll(async () => {
  served = await serveMemory();
});
afterAll(() => served.close());

/** `import { a } from "b"`, `import "b"`, `export { a } from "b"`, each on lines of its own. */
const STATEMENT = /^(?:import|export)\b([^;"'=()]*?)["']([^"'\n]+)["'];/gm;

/** What is loaded with a file, and what packages are: imports of types alone load nothing. */
function loaded(start: string): { files: Set<string>; packages: Set<string> } {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const program = stripSource(readFileSync(file, "utf8"), { strings: true });
    for (const [, what = "", from = ""] of program.matchAll(STATEMENT)) {
      if (/^\s*type\b/.test(what) || isOfTypes(what)) continue;
      if (from.startsWith(".")) visit(join(dirname(file), from));
      else packages.add(from);
    }
  };
  visit(start);
  return { files, packages };
}

/** As { type A, type B }: nothing but types. */
function isOfTypes(what: string): boolean {
  const names =
    /\{([^}]*)\}/
      .exec(what)?.[1]
      ?.split(",")
      .map((name) => name.trim()) ?? [];
  const named = names.filter((name) => name !== "");
  return named.length > 0 && named.every((name) => name.startsWith("type "));
}

test("nothing that it loads is Node's, or of a folder that needs Node", () => {
  const { files, packages } = loaded(INDEX);
  expect(files.size).toBeGreaterThan(30);
  expect([...packages]).toEqual(["zod"]);
  const folders = new Set([...files].map((file) => relative(SOURCES, file).split("/")[0]));
  expect([...folders].sort()).toEqual(["base", "client", "operations"]);
});

test("the check sees what it is for", () => {
  expect(loaded(join(SOURCES, "server/serve.ts")).packages).toContain("node:http");
});

test("it works in a world without Node, in English and Chinese", { timeout: 60_000 }, async () => {
  const flags = ["--experimental-vm-modules", "--no-warnings"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, PAGE, served.url], {
    timeout: 50_000,
  });
  expect(JSON.parse(stdout)).toEqual({
    ...{ text: "王芳住在成都。", subject: "string", turns: 2 },
    ...{ error: "input_invalid", ofNode: [] },
  });
});
