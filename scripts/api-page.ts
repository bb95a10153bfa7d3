/**
 * What can be called, for docs/api.md: the methods of `Memory` with what their comments say, the types they name as the
 * sources write them, and an example each, from examples/api, which is type-checked and run by a test.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Method {
  readonly name: string;
  readonly comment: string;
  readonly signature: string;
}

const INTRODUCTION = `# What can be called

<!-- Written by test/api-docs.test.ts from src/runtime and examples/api; edit these, then run that test with -u. -->

All of it is in \`neuromem/runtime\`: first the calls of \`Memory\`, then the runtimes over it. Every example is a file of
\`examples/api\` that is type-checked and run by a test. Times are epoch milliseconds. What is wrong with an argument is said
in a \`MemoryError\` with a \`code\` and a sentence that names what would be valid.`;

const METHOD = /\/\*\* ([^\n]*?) \*\/\n {2}((?:static )?(?:async )?(\w+)\([\s\S]*?)\{\n {4}/g;
const COMMENT = "(?:\\/\\*\\*(?:(?!\\*\\/)[\\s\\S])*\\*\\/\\n)?";
const TYPE = new RegExp(
  `${COMMENT}^export (?:interface (?<shape>\\w+)[\\s\\S]*?^\\}|type (?<other>\\w+)[\\s\\S]*?;$)`,
  "gm",
);

export function methodsOf(source: string): Method[] {
  return [...source.matchAll(METHOD)].map(([, comment = "", signature = "", name = ""]) => ({
    name,
    comment,
    signature: signature.replace(/\s+/g, " ").replace("async ", "").trim(),
  }));
}

/** The runtimes over `Memory`: their calls in one piece, and one example that uses them. */
const VIEWS = [
  {
    title: "SimpleMem: addDialogue, finalize, ask",
    about:
      "Windows of dialogue restated as sentences that stand alone; three searches, a plan, reflection (seed 002).",
    file: "simplemem/simple-mem.ts",
    example: "simple-mem",
  },
  {
    title: "SimpleMemory: openMemoryRuntime",
    about:
      "Judgments found by the tags a chat mentions, without vectors; one switch, one interface (seed 003).",
    file: "simple-memory/memory-runtime.ts",
    shape: "MemoryRuntime",
    example: "simple-memory",
  },
  {
    title: "BIEM: openBiem",
    about: "Energy that fades and rises, a canvas, a web of links, crystal facts, conflicts (seed 004).",
    file: "biem/biem.ts",
    shape: "Biem",
    example: "biem",
  },
  {
    title: "An agent: createAgentLoop",
    about: "Recall, a block beside the prompt, a streamed answer, both sides recorded (S4-20 … S4-22).",
    file: "agent-loop.ts",
    shape: "AgentLoop",
    example: "agent-loop",
  },
] as const;

export async function apiPage(root: string): Promise<string> {
  const folder = join(root, "src/runtime");
  const types = await typesOf(folder);
  const methods = methodsOf(await readFile(join(folder, "memory.ts"), "utf8"));
  const shown = new Set<string>();
  const withTypes = (declaration: string): string => {
    const named = namedIn(declaration, types).filter((name) => !shown.has(name));
    for (const name of named) shown.add(name);
    return [declaration, ...named.map((name) => types.get(name) ?? "")].join("\n\n");
  };
  const parts = [];
  for (const { name, comment, signature } of methods)
    parts.push(section(name, comment, withTypes(`${signature};`), await exampleOf(root, name)));
  for (const view of VIEWS) {
    const source = await readFile(join(folder, view.file), "utf8");
    if ("shape" in view) shown.add(view.shape);
    const declaration = "shape" in view ? types.get(view.shape) : printMethods(methodsOf(source));
    const text = withTypes(declaration ?? "");
    parts.push(section(view.title, view.about, text, await exampleOf(root, view.example)));
  }
  return `${[INTRODUCTION, ...parts].join("\n\n")}\n`;
}

function printMethods(methods: readonly Method[]): string {
  return methods.map(({ comment, signature }) => `/** ${comment} */\n${signature};`).join("\n");
}

function exampleOf(root: string, name: string): Promise<string> {
  return readFile(join(root, `examples/api/${name}.ts`), "utf8");
}

function section(title: string, about: string, declared: string, example: string): string {
  return `## ${title}\n\n${about}\n\n\`\`\`ts\n${declared}\n\`\`\`\n\n\`\`\`ts\n${example.trim()}\n\`\`\``;
}

async function typesOf(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
    const source = await readFile(join(folder, file), "utf8");
    for (const { 0: text, groups } of source.matchAll(TYPE))
      found.set(groups?.shape ?? groups?.other ?? "", text.replace(/^export /m, ""));
  }
  return found;
}

/** Those a signature names, and those these name. */
function namedIn(text: string, types: ReadonlyMap<string, string>, known: readonly string[] = []): string[] {
  const names = [...new Set(text.match(/\b[A-Z]\w+\b/g) ?? [])].filter(
    (name) => types.has(name) && !known.includes(name),
  );
  let all = [...known, ...names];
  for (const name of names) all = [...new Set([...all, ...namedIn(types.get(name) ?? "", types, all)])];
  return all;
}
