/** Every route of the table, with values made from its own schema, right ones and bent ones, over a real socket. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Json } from "../../src/base/json.ts";
import { OPERATIONS, type Operation } from "../../src/operations/index.ts";
import { fuzzRun, holdsForAll } from "./fuzz-run.ts";
import { type FuzzWorld, headersOf, JSON_BODY, openFuzzWorld, SECRET, scopeOf } from "./fuzz-world.ts";
import { hostileText, jsonText } from "./hostile-values.ts";
import { expectLawful } from "./reply-laws.ts";
import { inUrl, type Outgoing, type Reply, send } from "./send.ts";
import { nearValue, validValue } from "./values-of-schema.ts";

const RUN = fuzzRun(110);
let world: FuzzWorld;
beforeAll(async () => {
  world = await openFuzzWorld();
});
afterAll(() => world?.close());

test.each(OPERATIONS)(
  `$route.method $route.path ($name), seed ${RUN.seed}`,
  { timeout: 120_000 },
  async (row) => {
    const scope = scopeOf(row.name);
    const known = await world.fill(scope);
    const valid = validValue(row, known);
    const value = fc.oneof({ weight: 2, arbitrary: valid }, { weight: 3, arbitrary: nearValue(valid) });
    const lines = row.kind === "lines-in" ? bundles(await world.exported(scope)) : fc.constant("");
    let done = 0;
    // A call that takes nothing is the same every time.
    const run = takesNothing(row) ? { ...RUN, cases: Math.ceil(RUN.cases / 4) } : RUN;
    await holdsForAll(run, fc.tuple(value, lines), async ([input, bundle]) => {
      const reply = await send(world.url, outgoing(row, input, bundle, scope));
      expectLawful(reply, SECRET);
      if (reply.status === 200 && !isElsewhere(row, input)) {
        expectOutput(row, reply);
        done++;
      }
    });
    expect(done, "no case was answered with 200: nothing was tried").toBeGreaterThan(0);
    await world.expectUnharmed();
  },
);

function takesNothing({ input }: Operation): boolean {
  return Object.keys(z.toJSONSchema(input, { io: "input" }).properties ?? {}).length === 0;
}

/** The value where the route takes it: in the path, the query or the body. */
function outgoing(row: Operation, input: Json, bundle: string, scope: string): Outgoing {
  const { method, path } = row.route;
  const headers = headersOf(world.key, scope);
  const fields = new Map(isObject(input) ? Object.entries(input) : []);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const part = inUrl(fields.get(name) ?? "");
    fields.delete(name);
    return part;
  });
  const query = [...fields].map(([name, field]) => `${inUrl(name)}=${inUrl(field)}`).join("&");
  const address = query === "" ? filled : `${filled}?${query}`;
  if (row.kind === "lines-in") {
    const type = { "content-type": "application/x-ndjson" };
    return { method, path: address, headers: { ...headers, ...type }, body: bundle };
  }
  if (method !== "POST") return { method, path: address, headers };
  return { method, path: filled, headers: { ...headers, ...JSON_BODY }, body: jsonText(input) };
}

/** A path whose part is empty or dots is another path to every reader of URLs. */
function isElsewhere({ route }: Operation, input: Json): boolean {
  if (!route.path.includes("{id}")) return false;
  const id = isObject(input) ? input.id : undefined;
  return id === undefined || ["", ".", ".."].includes(String(id));
}

function expectOutput(row: Operation, { text, headers }: Reply): void {
  if (row.kind === "lines-out") {
    expect(headers["content-type"]).toMatch(/^application\/x-ndjson/);
    for (const line of text.split("\n").slice(0, -1)) expect(row.output.safeParse(line).success).toBe(true);
    for (const line of text.split("\n").slice(0, -1)) expect(() => JSON.parse(line)).not.toThrow();
    return;
  }
  const fit = row.output.safeParse(JSON.parse(text));
  expect(fit.success, `${fit.error?.message} in ${text.slice(0, 500)}`).toBe(true);
}

/** What an export wrote, with lines gone, doubled, bent or replaced. */
function bundles(exported: string): fc.Arbitrary<string> {
  const lines = exported.trim().split("\n");
  const bentLine = fc.constantFrom(...lines).chain((line) => nearValue(fc.constant<Json>(JSON.parse(line))));
  const change = fc.tuple(
    fc.nat(lines.length - 1),
    fc.constantFrom(0, 1, 2),
    fc.oneof(bentLine.map(jsonText), hostileText),
  );
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    const changed = [...lines];
    for (const [at, gone, line] of changes) changed.splice(at, gone, line);
    return `${changed.join("\n")}\n`;
  });
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
