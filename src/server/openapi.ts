/**
 * What can be called, as other programs read it? OpenAPI 3.1, written from the table of operations: every row is there, with
 * its fields, what it gives back, and every code it may fail with. Nothing is said here that a row says itself.
 */
import type { Json, JsonObject } from "../base/json.ts";
import { OPERATIONS, type Operation } from "../operations/index.ts";
import { EVENTS_PATH } from "./events-stream.ts";
import { errorReferences, errorResponses, errorSchema } from "./openapi-errors.ts";
import { createSchemas, type Schemas } from "./openapi-schemas.ts";

const DESCRIPTION = `Long-term memory for LLM agents.

Whose memory is meant is said by the header \`neuromem-scope\` (percent-encoded where it is not ASCII), else by \`?scope=\`, else by the key, else by the server. A key is sent as \`Authorization: Bearer KEY\` or \`x-api-key: KEY\`; a server on loopback may ask for none.

Every error has one shape (the schema Error). A POST with \`Accept: text/event-stream\` answers with its progress: events \`progress\` {done, total}, then \`result\` or \`error\`. MCP is at /mcp.`;

const GROUPS: Readonly<Record<Operation["effect"], string>> = {
  read: "Reads; changes nothing",
  write: "Writes; can be undone",
  erase: "Erases for good",
};

/** Written once for a version: nothing in it changes while the server runs. */
export function openApi(version: string): JsonObject {
  const schemas = createSchemas();
  const paths = pathsOf(schemas);
  return {
    openapi: "3.1.1",
    info: {
      title: "NeuroMem",
      version,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }, { apiKey: [] }, {}],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...Object.fromEntries([...schemas.shared].sort()), Error: errorSchema() },
      parameters: PARAMETERS,
      responses: errorResponses(),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
      },
    },
  };
}

const PARAMETERS: JsonObject = {
  scope: {
    name: "neuromem-scope",
    in: "header",
    description: "Whose memory; percent-encoded where it is not ASCII. ?scope= says the same.",
    schema: { type: "string" },
  },
  idempotencyKey: {
    name: "idempotency-key",
    in: "header",
    description:
      "Done once under this key: sent again, with the same body, it gets the first answer (idempotent-replay: true). Kept for a day in the server's process, the newest 10 000; not with text/event-stream, and for an import only within the limit of other bodies.",
    schema: { type: "string", maxLength: 255 },
  },
};

function pathsOf(schemas: Schemas): JsonObject {
  const paths = new Map<string, Record<string, Json>>();
  for (const operation of OPERATIONS) {
    const { path, method } = operation.route;
    const methods = paths.get(path) ?? {};
    methods[method.toLowerCase()] = operationOf(operation, schemas);
    paths.set(path, methods);
  }
  return { ...Object.fromEntries(paths), ...otherPaths() };
}

function operationOf(operation: Operation, schemas: Schemas): JsonObject {
  const { name, summary, effect, isIdempotent, route, kind } = operation;
  const input = schemas.schemaOf(operation.input, "input");
  const hasBody = route.method === "POST" && kind !== "lines-in";
  return {
    operationId: name,
    summary: summary.en,
    "x-summary-zh": summary.zh,
    tags: [effect],
    "x-idempotent": isIdempotent,
    parameters: [
      { $ref: "#/components/parameters/scope" },
      ...(effect !== "read" && route.method === "POST"
        ? [{ $ref: "#/components/parameters/idempotencyKey" }]
        : []),
      ...(hasBody ? [] : parametersOf(input, route.path)),
    ],
    ...(hasBody
      ? { requestBody: { required: isNeeded(input), content: { "application/json": { schema: input } } } }
      : {}),
    ...(kind === "lines-in" ? { requestBody: { required: true, content: LINES } } : {}),
    responses: { "200": replyOf(operation, schemas), ...errorReferences() },
  };
}

const LINES: JsonObject = {
  "application/x-ndjson": {
    schema: { type: "string", description: "Lines of JSON, as an export writes them." },
  },
};

function replyOf({ kind, output, route }: Operation, schemas: Schemas): JsonObject {
  if (kind === "lines-out") return { description: "Lines of JSON, as they come.", content: LINES };
  const schema = schemas.schemaOf(output, "output");
  const progress = {
    "text/event-stream": { schema: { type: "string", description: "progress, then result or error." } },
  };
  return {
    description: "Done.",
    content: { "application/json": { schema }, ...(route.method === "POST" ? progress : {}) },
  };
}

/** Fields of the path and of the query; what is neither text nor number nor flag is written as JSON. */
function parametersOf({ properties, required }: JsonObject, path: string): JsonObject[] {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const isPath = path.includes(`{${name}}`);
    const isNested =
      isObject(schema) &&
      ("$ref" in schema || schema.type === "object" || schema.type === "array") &&
      !isMoment(schema);
    return {
      name,
      in: isPath ? "path" : "query",
      required: isPath || needed.includes(name),
      ...(isNested ? { content: { "application/json": { schema } } } : { schema }),
    };
  });
}

function isMoment({ $ref }: JsonObject): boolean {
  return typeof $ref === "string" && $ref.endsWith("Moment");
}

function isNeeded({ required }: JsonObject): boolean {
  return Array.isArray(required) && required.length > 0;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is no row of the table. */
function otherPaths(): JsonObject {
  const status = (description: string): JsonObject => ({
    description,
    content: {
      "application/json": { schema: { type: "object", properties: { status: { type: "string" } } } },
    },
  });
  const open = { security: [{}] };
  return {
    [EVENTS_PATH]: {
      get: {
        operationId: "events",
        summary: "the changes of a scope while they happen, as server-sent events",
        "x-summary-zh": "以服务器推送事件实时发送范围内的变化",
        tags: ["read"],
        parameters: [
          { $ref: "#/components/parameters/scope" },
          {
            name: "after",
            in: "query",
            schema: { type: "integer", minimum: 0 },
            description: "seq of the last one seen; else from now on.",
          },
          {
            name: "last-event-id",
            in: "header",
            schema: { type: "integer", minimum: 0 },
            description: "The same, as browsers say it.",
          },
        ],
        responses: {
          "200": {
            description:
              "Events `change`, each with the schema Event as data and its seq as id; `error` at a bad end.",
            content: { "text/event-stream": { schema: { type: "string" } } },
          },
          ...errorReferences(),
        },
      },
    },
    "/health": {
      get: {
        operationId: "health",
        summary: "whether the process answers",
        ...open,
        responses: { "200": status("It does.") },
      },
    },
    "/ready": {
      get: {
        operationId: "ready",
        summary: "whether the memory answers and the server is not ending",
        ...open,
        responses: { "200": status("It does."), "503": status("It does not, or is about to end.") },
      },
    },
    "/metrics": {
      get: {
        operationId: "metrics",
        summary: "numbers for Prometheus; with keys, for one that opens all scopes",
        responses: {
          "200": { description: "Text.", content: { "text/plain": { schema: { type: "string" } } } },
          ...errorReferences(),
        },
      },
    },
  };
}
