/** Every tool of the MCP server, with values made from the schema that it lists, through a real client over a real socket. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATIONS } from "../../src/operations/index.ts";
import { fuzzRun, holdsForAll } from "./fuzz-run.ts";
import { type FuzzWorld, headersOf, openFuzzWorld, SECRET, scopeOf } from "./fuzz-world.ts";
import { expectError } from "./reply-laws.ts";
import { ANSWER_MS } from "./send.ts";
import { argumentsOf, nearValue, validOf } from "./values-of-schema.ts";

const RUN = fuzzRun(90);
const TOOLS = OPERATIONS.filter(({ tool }) => tool !== null);
let world: FuzzWorld;
beforeAll(async () => {
  world = await openFuzzWorld();
});
afterAll(() => world?.close());

test.each(TOOLS)(`tool $name, seed ${RUN.seed}`, { timeout: 120_000 }, async (row) => {
  const scope = scopeOf(row.name);
  const known = await world.fill(scope);
  const client = await connected(scope);
  const { tools } = await client.listTools();
  const listed = tools.find(({ name }) => name === row.name);
  const valid = validOf(listed?.inputSchema, known);
  const value = fc.oneof({ weight: 2, arbitrary: valid }, { weight: 3, arbitrary: nearValue(valid) });
  let done = 0;
  await holdsForAll(RUN, value, async (input) => {
    const { content, structuredContent, isError } = await client.callTool(
      { name: row.name, arguments: argumentsOf(input) },
      { timeout: ANSWER_MS },
    );
    const said = JSON.stringify({ content, structuredContent });
    expect(said.includes(SECRET), `the secret of another scope: ${said.slice(0, 300)}`).toBe(false);
    expect(content[0]?.type).toBe("text");
    if (isError === true) {
      expectError(structuredContent);
    } else {
      const fit = row.output.safeParse(structuredContent);
      expect(fit.success, `${fit.error?.message} in ${said.slice(0, 500)}`).toBe(true);
      done++;
    }
  });
  expect(done, "no call was done: nothing was tried").toBeGreaterThan(0);
  await client.close();
  await world.expectUnharmed();
});

async function connected(scope: string): Promise<Client> {
  const client = new Client({ name: "fuzz", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: headersOf(world.key, scope) };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit }));
  return client;
}
