import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands/index.ts";
import { route } from "../src/cli/router.ts";
import { parsePreset } from "../src/preset/load.ts";
import { writeSmallLocomo } from "./fixtures/small-locomo.ts";

const ROOT = resolve(import.meta.dirname, "..");
const run = promisify(execFile);
let folder = "";
let blocks: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-readme-"));
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
});
afterAll(() => rm(folder, { recursive: true }));

/** The example as printed, but for where the package lies: the sources instead of the build. */
async function output(example: string): Promise<string> {
  const file = join(folder, "example.ts");
  const code = example
    .replaceAll('from "neuromem"', `from ${JSON.stringify(join(ROOT, "src/index.ts"))}`)
    .replace(/"neuromem\/(\w+)"/g, (_, name) => JSON.stringify(join(ROOT, `src/${name}/index.ts`)));
  await writeFile(file, code);
  const { stdout } = await run(process.execPath, ["--no-warnings", file], { cwd: folder });
  return stdout;
}

test("the README's examples run as printed, also a second time", { timeout: 60_000 }, async () => {
  // The second is a part of examples/ai-sdk-agent.ts, which a test of its own runs.
  const [tenLines = "", , meaning = "", tasks = "", engine = ""] = blocks;
  expect(blocks).toHaveLength(5);
  for (let time = 0; time < 2; time++) {
    expect(await output(tenLines)).toContain("Alice: I moved to Lisbon last week.");
    expect(await output(engine)).toContain("Alice 喜欢吃火锅");
  }
  expect(await output(meaning)).toContain("Mia adopted a puppy");
  const facts = await output(tasks);
  expect(facts).toContain("local");
  expect(facts).toContain("Mia moved to Lisbon");
});

test("the README's commands run as printed", { timeout: 240_000 }, async () => {
  await copyFile(writeSmallLocomo(folder, 2), join(folder, "locomo10.json"));
  await writeFile(join(folder, "talk.txt"), "Mia: I live in Rome.\n王芳：我住在成都。\n");
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const commands = [...readme.matchAll(/^npx neuromem ([^#\n]*)/gm)].map((match) => match[1] ?? "");
  expect(commands.length).toBeGreaterThanOrEqual(8);
  for (const command of commands) {
    const words = [...command.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
      ([, quoted, plain]) => quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "",
    );
    // Files of the example lie in the test's own folder.
    const here = words.map((word) =>
      /^(?:[\w-]+\.(txt|db|yaml|jsonl)|runs\b.*)$/.test(word)
        ? join(folder, word)
        : word.replace("locomo10.json", join(folder, "locomo10.json")),
    );
    if (SERVING.includes(here[0] ?? "")) {
      await servesAndEnds(here);
      continue;
    }
    const said: string[] = [];
    const write = (text: string) => said.push(text);
    const surroundings = { env: {}, stdout: { write }, stderr: { write } };
    expect([command, await route(here, COMMANDS, surroundings, "0.0.0"), said]).toEqual([
      command,
      0,
      expect.any(Array),
    ]);
    if (here[0] === "recall") expect(said.join("")).toMatch(/Mia:? .*Rome/);
  }
});

/** Commands that go on until they are told to end. */
const SERVING = ["serve", "mcp", "proxy"];

/** As a process, on a port of its own; the end of its input ends MCP, a signal the others. */
async function servesAndEnds(words: readonly string[]): Promise<void> {
  const isMcp = words[0] === "mcp";
  const own = isMcp ? [] : ["--port", "0", "--json"];
  const child = spawn(process.execPath, ["--no-warnings", join(ROOT, "src/cli/main.ts"), ...words, ...own], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  if (isMcp) child.stdin.end();
  else {
    const [ready] = await once(child.stdout, "data");
    expect(JSON.parse(String(ready))).toMatchObject({ url: expect.stringContaining("http://127.0.0.1:") });
    child.kill("SIGTERM");
  }
  expect([words, await ended]).toEqual([words, [0, null]]);
}

test("[S0-64] the README's preset loads as printed", async () => {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
  const preset = await parsePreset(yaml, "my-memory.yaml");
  expect(preset.stages.post_insert.map(({ action }) => action)).toEqual(["mem0_crud", "forgetting"]);
});
