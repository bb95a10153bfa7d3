/** The architecture, held against the sources. The tables below are the rules; a failure says what breaks which. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { stripSource } from "./source-text.ts";

/** The folders of src/, lowest first: each may import only itself and those before it. */
const LAYERS: readonly string[] = [
  "base",
  "math",
  "text",
  "storage",
  "indexes",
  "collection",
  "models",
  "tasks",
  "policies",
  "services",
  "pipeline",
  "actions",
  "preset",
  "runtime",
  "lab",
  "operations",
  "client",
  "adapters",
  "server",
  "cli",
];

/** Folders that may import less, or other things, than all before them. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  models: ["base", "math", "text"],
  tasks: ["base", "math", "text", "models"],
  // Runs in browsers, too: what it takes of the table are rows, which name the runtime's types alone.
  client: ["base", "operations", "runtime"],
  testing: LAYERS.filter((folder) => folder !== "server" && folder !== "cli"),
};

/** Folders that may import only these from outside src/. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = { base: ["zod"], math: [] };

/** Where the surroundings of the process may be touched. */
const MAY_USE_PROCESS = [
  "src/cli/",
  "src/server/",
  // Switches the telemetry of the native runtime off; there is no other way to tell it.
  "src/models/local/onnx-encoder.ts",
];

const BACK_ENDS = ["sqlite", "postgres", "pglite", "milvus"] as const;
/** Where a back end may be named, besides its own folder src/storage/<back end>/. */
const MAY_NAME_BACK_ENDS = [
  "src/storage/memory.ts",
  "src/storage/open-storage.ts",
  // Reads variables that are named for them.
  "src/runtime/biem/biem-environment.ts",
  "src/index.ts",
  "src/cli/",
  "src/server/",
  "src/testing/",
];

const MAX_LINES = 400;
/** In the first lines of a file that a program wrote. */
const GENERATED = "@generated";

const ROOT = resolve(import.meta.dirname, "..");

/** Path → text, with forward slashes, from the project's folder on. */
type Sources = ReadonlyMap<string, string>;
type Rule = (sources: Sources) => string[];

describe("the sources keep the architecture", () => {
  const sources = readSources("src");

  test("there are sources to judge", () => {
    expect(sources.size).toBeGreaterThan(10);
  });

  test.each([
    ["a folder imports only folders before it in the table", layers],
    ["no file imports itself, directly or through others", cycles],
    ["process.env and console are used in cli/ and server/ only", surroundings],
    [`no file has more than ${MAX_LINES} lines`, size],
    ["a back end is named in its own folder only", backEnds],
    ["no any, no default export", forbiddenSyntax],
  ] satisfies [string, Rule][])("%s", (_, rule) => {
    expect(rule(sources)).toEqual([]);
  });

  test("[S0-21][S0-67] no action and no stage asks which service it talks to", () => {
    expect(serviceNames(sources)).toEqual([]);
  });
});

/** Polymorphism only: whoever needs to know what a service can do asks its traits. */
function serviceNames(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => /^src\/(actions|pipeline)\//.test(path) && !path.endsWith(".test.ts"))
    .filter(
      ([, text]) =>
        SERVICE_NAMES.test(stripSource(text, { strings: true })) ||
        /instanceof \w*(Memory|Service|Vdb)\b/.test(text),
    )
    .map(([path]) => `${path} names a service.`);
}

const SERVICE_NAMES = /(short_term|key_value|graph|hierarchical|hybrid|vector_hash)_memory|neuromem_vdb/;

describe("each rule catches its fault", () => {
  const judge = (rule: Rule, files: Record<string, string>) => rule(new Map(Object.entries(files)));

  test("layers", () => {
    const imported = 'import type { X } from "../storage/x.ts";';
    expect(judge(layers, { "src/math/a.ts": imported, "src/indexes/b.ts": imported })).toEqual([
      "src/math/a.ts imports src/storage/x.ts. math may import: base.",
    ]);
    expect(judge(layers, { "src/models/a.ts": 'export * from "../storage/x.ts";' })[0]).toContain(
      "base, math, text.",
    );
    expect(judge(layers, { "src/testing/a.ts": 'await import("../server/x.ts");' })).toHaveLength(1);
    expect(judge(layers, { "src/runtime/a.ts": 'import "../testing/x.ts";' })).toHaveLength(1);
    expect(
      judge(layers, { "src/base/a.ts": 'import { x } from "node:fs";\nimport { z } from "zod";' }),
    ).toEqual(['src/base/a.ts imports the package "node:fs". base may import: zod.']);
    expect(judge(layers, { "src/helper/a.ts": "" })[0]).toContain("src/helper is not in the table");
    expect(judge(layers, { "src/index.ts": 'export * from "./runtime/memory.ts";' })).toEqual([]);
    expect(judge(layers, { "src/math/a.ts": `// ${imported}` })).toEqual([]);
  });

  test("names of services", () => {
    const naming = 'if (service.name === "graph_memory") walk();';
    expect(judge(serviceNames, { "src/actions/a.ts": naming, "src/preset/a.ts": naming })).toHaveLength(1);
    expect(judge(serviceNames, { "src/pipeline/a.ts": "x instanceof GraphMemory" })).toHaveLength(1);
  });

  test("cycles", () => {
    const files = {
      "src/base/a.ts": 'import "./b.ts";',
      "src/base/b.ts": 'import "./c.ts";\nimport "./d.ts";',
      "src/base/c.ts": 'import type { A } from "./a.ts";',
      "src/base/d.ts": "",
    };
    expect(judge(cycles, files)).toEqual(["src/base/a.ts → src/base/b.ts → src/base/c.ts → src/base/a.ts"]);
    expect(judge(cycles, { ...files, "src/base/c.ts": 'import "./d.ts";' })).toEqual([]);
  });

  test("surroundings, size, back ends, syntax", () => {
    expect(judge(surroundings, { "src/base/a.ts": "f(process.env.HOME); console.log(1)" })).toHaveLength(2);
    expect(
      judge(surroundings, { "src/cli/a.ts": "console.log(1)", "src/base/a.ts": "// console.log" }),
    ).toEqual([]);
    expect(judge(size, { "src/base/a.ts": "\n".repeat(401) })).toHaveLength(1);
    expect(judge(size, { "src/base/a.ts": `/** ${GENERATED} */${"\n".repeat(401)}` })).toEqual([]);
    expect(judge(backEnds, { "src/collection/a.ts": 'if (kind === "sqlite") {}' })).toHaveLength(1);
    expect(judge(backEnds, { "src/storage/postgres/a.ts": "openSqlite()" })).toHaveLength(1);
    expect(
      judge(backEnds, { "src/storage/sqlite/a.ts": "openSqlite()", "src/base/a.ts": "// SQLite" }),
    ).toEqual([]);
    expect(
      judge(forbiddenSyntax, { "src/base/a.ts": "let x: any; y as any; Map<string, any>; z as Array<any>" }),
    ).toHaveLength(1);
    expect(
      judge(forbiddenSyntax, {
        "src/base/a.ts": "export default 1;",
        "src/base/b.ts": "export { a as default };",
      }),
    ).toHaveLength(2);
    expect(
      judge(forbiddenSyntax, {
        "src/base/a.ts": 'Promise.any([]); const a = { any: 1 }; say(": any"); // : any',
      }),
    ).toEqual([]);
  });
});

// --- the rules ---

function layers(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const from = folderOf(path);
    if (from === undefined) return [];
    const allowed = mayImport(from);
    if (allowed === undefined)
      return [`${path}: src/${from} is not in the table. Valid: ${LAYERS.join(", ")}, testing.`];
    return importsOf(path, text).flatMap((imported) => {
      const packages = PACKAGES[from];
      if (!imported.startsWith("src/")) {
        const fine = packages === undefined || packages.includes(imported);
        return fine
          ? []
          : [
              `${path} imports the package "${imported}". ${from} may import: ${packages.join(", ") || "none"}.`,
            ];
      }
      const to = folderOf(imported);
      const fine = to === from || (to !== undefined && allowed.includes(to));
      return fine
        ? []
        : [`${path} imports ${imported}. ${from} may import: ${allowed.join(", ") || "nothing"}.`];
    });
  });
}

function cycles(sources: Sources): string[] {
  const imports = new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(" → "));
    if (start >= 0 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return found;
}

function surroundings(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => !MAY_USE_PROCESS.some((folder) => path.startsWith(folder)))
    .flatMap(([path, text]) =>
      ["process.env", "console."]
        .filter((word) => stripSource(text, { strings: false }).includes(word))
        .map(
          (word) =>
            `${path} uses ${word} Valid: only in ${MAY_USE_PROCESS.join(" and ")}; elsewhere it is injected.`,
        ),
    );
}

function size(sources: Sources): string[] {
  return [...sources]
    .map(([path, text]) => ({ path, text, lines: text.replace(/\n$/, "").split("\n").length }))
    .filter(({ text, lines }) => lines > MAX_LINES && !text.slice(0, 500).includes(GENERATED))
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines. Valid: at most ${MAX_LINES}; give each idea a file of its own.`,
    );
}

function backEnds(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => !MAY_NAME_BACK_ENDS.some((place) => path.startsWith(place)))
    .flatMap(([path, text]) => {
      const program = stripSource(text, { strings: true }).toLowerCase();
      return BACK_ENDS.filter(
        (name) => program.includes(name) && !path.startsWith(`src/storage/${name}/`),
      ).map(
        (name) =>
          `${path} names ${name}. Valid: only in src/storage/${name}/; elsewhere ask for a capability.`,
      );
    });
}

function forbiddenSyntax(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const program = stripSource(text, { strings: false });
    const problems = [];
    if (/(?:[:<|&,=]|\bas|\bextends)\s*any\b(?!\s*[:(=.?])/.test(program)) {
      problems.push(`${path} uses the type any. Valid: unknown, and a schema at the edge.`);
    }
    if (/\bexport\s+default\b|\bas\s+default\b/.test(program)) {
      problems.push(`${path} has a default export. Valid: named exports, named as the file.`);
    }
    return problems;
  });
}

// --- reading ---

function readSources(folder: string): Sources {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => posix.join(folder, path.split(sep).join("/")));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}

/** "base" for src/base/…; undefined for a file directly in src/, which may import everything. */
function folderOf(path: string): string | undefined {
  const [, folder, file] = path.split("/");
  return file === undefined ? undefined : folder;
}

function mayImport(folder: string): readonly string[] | undefined {
  const place = LAYERS.indexOf(folder);
  return MAY_IMPORT[folder] ?? (place < 0 ? undefined : LAYERS.slice(0, place));
}

/** Own files as paths from the project's folder on, packages by name. */
function importsOf(path: string, text: string): string[] {
  const statements = stripSource(text, { strings: true }).matchAll(
    /(?:\bfrom\s*|\bimport\s*\(?\s*)(?:"([^"\n]+)"|'([^'\n]+)')/g,
  );
  return [...statements].map(([, double, single]) => {
    const imported = double ?? single ?? "";
    return imported.startsWith(".") ? posix.join(dirname(path), imported) : imported;
  });
}
