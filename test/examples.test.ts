/** Every example runs as it is printed, in a folder of its own, against the sources; servers and the model they need are real. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ModelServer, startModelServer } from "../src/testing/model-server.ts";

const ROOT = resolve(import.meta.dirname, "..");
const EXAMPLES = join(ROOT, "examples");
const CLI = join(ROOT, "src/cli/main.ts");
const ADAPTERS = ["ai-sdk", "langgraph", "mastra"];
const ENDS_WITHIN = { timeout: 60_000 };

let folder = "";
const started: ChildProcess[] = [];
const models: ModelServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-examples-"));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"), "dir");
  await copyFile(join(EXAMPLES, "mem0-export.json"), join(folder, "mem0-export.json"));
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  }
  for (const model of models.splice(0)) await model.close();
});
afterAll(() => rm(folder, { recursive: true }));

/** What it prints. The sources stand for the built package. */
async function output(name: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const code = await readFile(join(EXAMPLES, name), "utf8");
  const here = code.replace(/"neuromem\/([\w-]+)"/g, (_, part: string) =>
    JSON.stringify(join(ROOT, "src", ADAPTERS.includes(part) ? "adapters" : "", part, "index.ts")),
  );
  await writeFile(join(folder, name), here);
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", name], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  return stdout;
}

async function model(chat: Parameters<typeof startModelServer>[0]): Promise<ModelServer> {
  const server = await startModelServer(chat);
  models.push(server);
  return server;
}

/** A command that serves; resolves with what it says when it is ready. */
async function serving(...words: string[]): Promise<{ readonly url: string }> {
  const child = spawn(process.execPath, ["--no-warnings", CLI, ...words, "--port", "0", "--json"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  for await (const line of createInterface({ input: child.stdout }))
    return z.object({ url: z.string() }).parse(JSON.parse(line));
  throw new Error(`neuromem ${words.join(" ")} ended before it was ready`);
}

describe("the examples", () => {
  test("all are named in their README, and are short", async () => {
    const page = await readFile(join(EXAMPLES, "README.md"), "utf8");
    const files = (await readdir(EXAMPLES)).filter((file) => /\.(ts|json)$/.test(file));
    expect(files.filter((file) => file !== "mem0-export.json" && !page.includes(`(${file})`))).toEqual([]);
    for (const file of files)
      expect((await readFile(join(EXAMPLES, file), "utf8")).split("\n").length).toBeLessThanOrEqual(41);
  });

  test("library", ENDS_WITHIN, async () => {
    const said = await output("library.ts");
    expect(said).toContain("I moved from Rome to Lisbon in March.");
    expect(said).toContain("My sister Lea keeps two cats.");
  });

  test("Chinese assistant", ENDS_WITHIN, async () => {
    const said = await output("chinese-assistant.ts");
    expect(said).toMatch(/答：.*花生/);
    expect(said).toMatch(/记得：.*杭州/);
  });

  test(
    "AI SDK agent: what was said first is before the model when it is asked again",
    ENDS_WITHIN,
    async () => {
      const server = await model({ chat: ["I will remember that.", "Not the one with walnuts."] });
      const said = await output("ai-sdk-agent.ts", { OPENAI_BASE_URL: server.url, MODEL: "m" });
      expect(said).toContain("Not the one with walnuts.");
      expect(JSON.stringify(server.requests[1]?.body)).toContain("allergic to nuts");
      expect(JSON.stringify(server.requests[1]?.body)).toContain('"recall"');
    },
  );

  test("LangGraph", ENDS_WITHIN, async () => {
    const said = await output("langgraph-store.ts");
    expect(said).toContain("food { text: 'Mia likes sushi now.' }");
    expect(said).not.toContain("pizza");
    expect(said.trim().endsWith("null")).toBe(true);
  });

  test("import from mem0", ENDS_WITHIN, async () => {
    expect(await output("import-from-mem0.ts")).toContain(
      "Mia is a vegetarian and eats no fish 2023 [ 'food' ]",
    );
  });

  test("remote client", ENDS_WITHIN, async () => {
    const { url } = await serving("serve", "--db", "remote.db");
    const said = await output("remote-client.ts", { NEUROMEM_URL: url });
    expect(said).toContain("under the blue pot");
    expect(said).toContain("1 memories");
  });

  test("proxy with a plain HTTP client", ENDS_WITHIN, async () => {
    const upstream = await model({ chat: ["Congratulations!", "She is four or five."] });
    const { url } = await serving("proxy", "--upstream", upstream.url, "--db", "proxy.db");
    const said = await output("proxy-client.ts", { PROXY_URL: url });
    expect(said).toContain("She is four or five.");
    expect(JSON.stringify(upstream.requests[1]?.body)).toContain("3 May 2021");
  });

  test("MCP in a desktop client's configuration", ENDS_WITHIN, async () => {
    const config = JSON.parse(await readFile(join(EXAMPLES, "mcp-desktop.json"), "utf8"));
    const shape = z.object({
      mcpServers: z.record(z.string(), z.object({ command: z.literal("npx"), args: z.array(z.string()) })),
    });
    const [, package_, ...words] = Object.values(shape.parse(config).mcpServers)[0]?.args ?? [];
    expect(package_).toBe("neuromem");
    const client = new Client({ name: "desktop", version: "1" });
    const args = ["--no-warnings", CLI, ...words];
    await client.connect(
      new StdioClientTransport({
        ...{ command: process.execPath, args, cwd: folder, stderr: "ignore" },
        // In place of the user's data folder.
        env: { PATH: process.env.PATH ?? "", NEUROMEM_DB: join(folder, "desktop.db") },
      }),
    );
    await client.callTool({ name: "remember", arguments: { said: "Mia plays the cello." } });
    const found = await client.callTool({ name: "recall", arguments: { question: "What does Mia play?" } });
    expect(JSON.stringify(found.structuredContent)).toContain("Mia plays the cello.");
    await client.close();
  });
});
