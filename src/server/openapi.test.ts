import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ServedMemory, serveMemory } from "../../test/fixtures/served-memory.ts";
import { ERROR_KINDS } from "../base/errors.ts";
import { OPERATIONS } from "../operations/index.ts";
import { html } from "./html.ts";
import { openApi } from "./openapi.ts";
import { queryReader } from "./query-fields.ts";
import { referencePage } from "./reference-page.ts";

const parameterSchema = z.union([
  z.object({ $ref: z.string() }),
  z.object({ name: z.string(), in: z.enum(["path", "query", "header"]), required: z.boolean().optional() }),
]);
const operationSchema = z.looseObject({
  operationId: z.string(),
  summary: z.string().min(1),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z
    .object({ required: z.boolean(), content: z.record(z.string(), z.object({ schema: z.looseObject({}) })) })
    .optional(),
  responses: z.record(z.string(), z.looseObject({})),
});
const documentSchema = z.looseObject({
  openapi: z.string().regex(/^3\.1\.\d$/),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(
    z.string().startsWith("/"),
    z
      .record(z.enum(["get", "post", "delete"]), operationSchema)
      .or(z.partialRecord(z.enum(["get", "post", "delete"]), operationSchema)),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});

let served: ServedMemory;
let document: z.infer<typeof documentSchema>;
beforeAll(async () => {
  served = await serveMemory();
  document = documentSchema.parse((await served.call("/openapi.json")).json);
});
afterAll(() => served.close());

describe("the description for programs", () => {
  test("has every row under its path, with its fields where the route reads them", () => {
    for (const { name, route, input, kind, summary } of OPERATIONS) {
      const method = z.enum(["get", "post", "delete"]).parse(route.method.toLowerCase());
      const found = document.paths[route.path]?.[method];
      expect(found).toMatchObject({ operationId: name, summary: summary.en, "x-summary-zh": summary.zh });
      const fields = Object.keys(z.toJSONSchema(input, { io: "input" }).properties ?? {}).sort();
      const body = found?.requestBody?.content["application/json"]?.schema;
      const inBody = Object.keys(
        z.object({ properties: z.looseObject({}) }).safeParse(body).data?.properties ?? {},
      );
      const named = (found?.parameters ?? []).flatMap((one) => ("name" in one ? [one.name] : []));
      const inPath = (found?.parameters ?? []).flatMap((one) =>
        "name" in one && one.in === "path" ? [one.name] : [],
      );
      expect([name, [...inBody, ...named].sort()]).toEqual([name, fields]);
      expect(inPath).toEqual([...route.path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field));
      expect(Object.keys(found?.requestBody?.content ?? {})).toEqual(
        kind === "lines-in" ? ["application/x-ndjson"] : route.method === "POST" ? ["application/json"] : [],
      );
    }
  });

  test("names each operation once", () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("every reference leads somewhere, and nothing is there that nobody refers to", () => {
    const text = JSON.stringify(document);
    const references = new Set(
      [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = ""]) => reference),
    );
    expect(references.size).toBeGreaterThan(20);
    for (const reference of references) {
      const steps = reference.split("/");
      expect(steps[0]).toBe("#");
      const target = steps
        .slice(1)
        .reduce<unknown>((place, step) => z.looseObject({}).parse(place)[step], document);
      expect([reference, typeof target]).toEqual([reference, "object"]);
    }
    for (const name of Object.keys(document.components.schemas))
      expect([...references]).toContain(`#/components/schemas/${name}`);
  });

  test("every code of an error is there under its status", () => {
    const responses = z
      .record(z.string(), z.object({ description: z.string() }))
      .parse(document.components.responses);
    for (const [code, { http }] of Object.entries(ERROR_KINDS))
      expect(responses[`Error${http}`]?.description.split(", ")).toContain(code);
    for (const methods of Object.values(document.paths))
      for (const { operationId, responses } of Object.values(methods))
        if (!["health", "ready"].includes(operationId)) expect(Object.keys(responses)).toContain("503");
  });

  test("what shares a meaning shares a name, and none is called by a number", () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(["Memory", "Hit", "Filter", "Event", "Error", "Json"]),
    );
    expect(JSON.stringify(document)).not.toContain("__schema");
  });

  test("is the same for the same version", () => {
    expect(JSON.stringify(openApi("1.2.3"))).toBe(JSON.stringify(openApi("1.2.3")));
    expect(openApi("1.2.3").info).toMatchObject({ version: "1.2.3" });
  });
});

describe("the page for people", () => {
  test("has every row and every code, and fetches nothing", async () => {
    const { status, headers, text } = await served.call("/docs");
    expect([status, headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
    for (const { name, route, summary } of OPERATIONS) {
      expect(text).toContain(`<section id="${name}">`);
      expect(text).toContain(`<code>${route.path}</code>`);
      expect(text).toContain(summary.zh);
    }
    for (const code of Object.keys(ERROR_KINDS)) expect(text).toContain(`<code>${code}</code>`);
    expect(text).not.toMatch(/<script|src=|@import|url\(|href="(?!#|\/)/);
  });

  test("puts text into pages as text", () => {
    const hostile = `<img src=x onerror="alert('张')">&`;
    expect(html`<p title="${hostile}">${hostile}</p>${[html`<b>${hostile}</b>`]}`.text).toBe(
      '<p title="&lt;img src=x onerror=&quot;alert(&#39;张&#39;)&quot;&gt;&amp;">&lt;img src=x onerror=&quot;alert(&#39;张&#39;)&quot;&gt;&amp;</p><b>&lt;img src=x onerror=&quot;alert(&#39;张&#39;)&quot;&gt;&amp;</b>',
    );
    expect(referencePage("<1>")).toContain("Version &lt;1&gt;");
  });

  test("the first page leads to both", async () => {
    const { text } = await served.call("/");
    for (const link of ["/docs", "/openapi.json", "/health", "/mcp"]) expect(text).toContain(link);
  });
});

describe("a query becomes the input that the schema asks for", () => {
  const read = queryReader({
    input: z.strictObject({
      id: z.string(),
      text: z.string().optional(),
      count: z.int().optional(),
      flag: z.boolean().optional(),
      when: z.union([z.int(), z.string()]).optional(),
      filter: z.strictObject({ op: z.string() }).optional(),
      tags: z.array(z.string()).optional(),
    }),
    route: { method: "GET", path: "/v1/things/{id}" },
  });

  test.each([
    ["", {}],
    ["text=a+b%26%E5%BC%A0=c", { text: "a b&张=c" }],
    ["text=", { text: "" }],
    ["text=7&count=-7&flag=true", { text: "7", count: -7, flag: true }],
    ["flag=false&scope=other", { flag: false }],
    ["when=1700000000000", { when: 1_700_000_000_000 }],
    ["when=2023-05-08T13:56:00Z", { when: "2023-05-08T13:56:00Z" }],
    ['filter={"op":"eq"}&tags=["a","张"]', { filter: { op: "eq" }, tags: ["a", "张"] }],
  ])("%s", (query, fields) => {
    expect(read(query)).toEqual(fields);
  });

  test.each([
    "id=7",
    "unknown=1",
    "__proto__=1",
    "count=",
    "count=0x10",
    "count=1e3",
    "flag=1",
    "filter={",
    'filter={"__proto__":1}',
    "text=%E5",
    "text=a&text=b",
  ])("refuses %s", (query) => {
    expect(() => read(query)).toThrow(expect.objectContaining({ code: "input_invalid" }));
  });
});
