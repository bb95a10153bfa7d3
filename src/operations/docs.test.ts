/** docs/operations.md is written from the table. `vitest run src/operations/docs.test.ts -u` writes it anew. */
import { expect, test } from "vitest";
import { z } from "zod";
import { OPERATIONS, type Operation } from "./index.ts";

const INTRODUCTION = `# Operations: which calls exist

<!-- Written from the table by src/operations/docs.test.ts; edit the rows, then run that test with -u. -->

One table (\`src/operations/\`) says which calls there are: what each is called, what it takes and gives, what it does to the
memory. Every door is made from it: the routes of \`neuromem serve\` with their OpenAPI page, the tools of the MCP server, the
verbs of the typed client \`neuromem/client\`, and \`neuromem call OPERATION JSON\`. A suite sends the same cases through all of them
and compares what comes back (\`test/parity.test.ts\`).

- The fields of GET are the path and the query, those of POST the body, as JSON. Whose memory is meant is no field: a key
  says it, the header \`neuromem-scope\`, the query \`scope\`, or \`--scope\`.
- A moment is epoch milliseconds, or ISO 8601; without a zone it is UTC. As the end of a span, a day is meant whole.
- What changes something may be sent with the header \`idempotency-key\`: asked again with the same key, it is done once. The
  server keeps the newest 10 000 of these answers for a day, in its own memory: they end with its process. A stream of
  progress cannot be given again, so it takes no such key.
- An error is \`{ "error": { "code", "message", "retryable", "details", "requestId" } }\`, with the status of its code.
- With \`Accept: text/event-stream\` a POST tells its \`progress\`, then its \`result\` or \`error\`.
`;

test("docs/operations.md tells every call", async () => {
  const rows = OPERATIONS.map(
    ({ name, route, effect, tool, summary }) =>
      `| [${name}](#${name.toLowerCase()}) | \`${route.method} ${route.path}\` | ${effect} | ${tool === null ? "" : "yes"} | ${summary.en} |\n`,
  );
  const table = `\n| call | route | effect | tool | what it does |\n|---|---|---|---|---|\n${rows.join("")}`;
  const page = `${INTRODUCTION}${table}${OPERATIONS.map(sectionOf).join("")}`;
  await expect(page).toMatchFileSnapshot("../../docs/operations.md");
});

const KINDS = {
  call: "JSON in, JSON out",
  "lines-out": "JSON in, lines of JSON out (application/x-ndjson)",
  "lines-in": "the fields are the query, and the body is lines of JSON (application/x-ndjson); JSON out",
} as const satisfies Record<Operation["kind"], string>;

function sectionOf({
  name,
  summary,
  route,
  effect,
  isIdempotent,
  kind,
  tool,
  input,
  output,
}: Operation): string {
  const fields = fieldsOf(z.toJSONSchema(input, { io: "input" }));
  const given = Object.keys(z.toJSONSchema(output, { io: "output" }).properties ?? {});
  return [
    `\n## ${name}\n\n${summary.en}. ${summary.zh}。\n\n`,
    `- \`${route.method} ${route.path}\`: ${KINDS[kind]}\n`,
    `- Effect: ${effect}; ${isIdempotent ? "doing it twice leaves what doing it once does" : "doing it twice does it twice"}\n`,
    ...(tool === null ? [] : [`- As a tool: ${tool}\n`]),
    ...(given.length === 0 ? [] : [`- Gives: ${given.map((field) => `\`${field}\``).join(", ")}\n`]),
    ...(fields === "" ? ["- Takes nothing.\n"] : [`\n| field | is | |\n|---|---|---|\n${fields}`]),
  ].join("");
}

type Schema = z.core.JSONSchema.JSONSchema;
type Part = z.core.JSONSchema._JSONSchema;

function fieldsOf({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(([name, part]) => {
      const isNeeded = required.includes(name);
      const told = typeof part === "boolean" ? "" : (part.description ?? "");
      return `| ${isNeeded ? `**${name}**` : name} | ${typeOf(part)} | ${told.replaceAll("|", "\\|")} |\n`;
    })
    .join("");
}

/** As "text", "number or text", "list of text": enough to know what to write; the whole is in /openapi.json. */
function typeOf(part: Part | undefined): string {
  if (part === undefined || typeof part === "boolean") return "JSON";
  if (part.$ref !== undefined) return "object";
  if (part.enum !== undefined) return part.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (part.const !== undefined) return `\`${JSON.stringify(part.const)}\``;
  const { anyOf, type, items } = part;
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(" or ");
  if (type === "array") return `list of ${Array.isArray(items) ? "JSON" : typeOf(items)}`;
  return type === "string" ? "text" : (type?.toString() ?? "JSON");
}
