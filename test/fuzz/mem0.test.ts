/** Every route of the door for clients of mem0, with values made from the schemas of its requests. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { addSchema, deleteAllSchema, listSchema, searchSchema } from "../../src/server/mem0/requests.ts";
import { fuzzRun, holdsForAll } from "./fuzz-run.ts";
import { type FuzzWorld, JSON_BODY, OTHER_SCOPE, OWN_SCOPE, openFuzzWorld, SECRET } from "./fuzz-world.ts";
import { jsonText } from "./hostile-values.ts";
import { expectLawful } from "./reply-laws.ts";
import { inUrl, type Outgoing, send } from "./send.ts";
import { type Known, nearValue, validOf } from "./values-of-schema.ts";

const RUN = fuzzRun(60);
const noFields = z.object({});
const ROUTES: readonly (readonly [string, string, z.ZodType])[] = [
  ["POST", "/mem0/v1/memories/", addSchema],
  ["POST", "/mem0/memories", addSchema],
  ["POST", "/mem0/v1/memories/search/", searchSchema],
  ["POST", "/mem0/v2/memories/search/", searchSchema],
  ["POST", "/mem0/search", searchSchema],
  ["POST", "/mem0/v2/memories/", listSchema],
  ["GET", "/mem0/v1/memories/", listSchema],
  ["GET", "/mem0/v1/memories/{id}/", noFields],
  ["GET", "/mem0/v1/memories/{id}/history/", noFields],
  ["DELETE", "/mem0/v1/memories/{id}/", noFields],
  ["DELETE", "/mem0/v1/memories/", deleteAllSchema],
];

let world: FuzzWorld;
let known: Known;
beforeAll(async () => {
  world = await openFuzzWorld();
  const { texts, numbers } = await world.fill(OWN_SCOPE);
  known = { texts: [...texts, OWN_SCOPE, OWN_SCOPE, OWN_SCOPE, OTHER_SCOPE], numbers };
});
afterAll(() => world?.close());

test.each(ROUTES)(`%s %s, seed ${RUN.seed}`, { timeout: 120_000 }, async (method, path, schema) => {
  const made = validOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), known);
  const named = made.map((fields): Json => ({ ...Object(fields), user_id: OWN_SCOPE }));
  const valid = schema === noFields ? made : fc.oneof(made, named);
  let done = 0;
  const value = fc.oneof({ weight: 2, arbitrary: valid }, { weight: 3, arbitrary: nearValue(valid) });
  const id = fc.constantFrom(
    ...known.texts,
    ...known.texts.map((text) => `${OTHER_SCOPE}~${text}`),
    "..",
    "%00",
  );
  await holdsForAll(RUN, fc.tuple(value, id), async ([input, name]) => {
    const reply = await send(world.url, outgoing(method, path.replace("{id}", inUrl(name)), input));
    expectLawful(reply, SECRET);
    if (reply.status !== 200) return;
    expect(() => JSON.parse(reply.text)).not.toThrow();
    done++;
  });
  if (schema !== noFields) expect(done, "no case was answered with 200").toBeGreaterThan(0);
  await world.expectUnharmed();
});

function outgoing(method: string, path: string, input: Json): Outgoing {
  const headers = { authorization: `Token ${world.key}` };
  if (method === "POST")
    return { method, path, headers: { ...headers, ...JSON_BODY }, body: jsonText(input) };
  const fields = Object.entries(isObject(input) ? input : {});
  const query = fields.map(([name, field]) => `${inUrl(name)}=${inUrl(field)}`).join("&");
  return { method, path: query === "" ? path : `${path}?${query}`, headers };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
