/**
 * What can be called, as people read it? One page, written from the same rows as the routes: every call with its fields, an
 * example to copy and what comes back. It needs no script and nothing from elsewhere, so it can be read without a net.
 */
import { ERROR_KINDS } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { OPERATIONS, type Operation } from "../operations/index.ts";
import { EVENTS_PATH } from "./events-stream.ts";
import { type Html, html } from "./html.ts";
import { createSchemas, type Schemas } from "./openapi-schemas.ts";
import { pageFrame } from "./page-frame.ts";
import { exampleOf } from "./reference-example.ts";

export function referencePage(version: string): string {
  const schemas = createSchemas();
  const calls = OPERATIONS.map((operation) => callSection(operation, schemas));
  return pageFrame(
    "NeuroMem API",
    html`<header>
<h1>NeuroMem API</h1>
<p class="soft">Version ${version} · <a href="/openapi.json">openapi.json</a> · <a href="/">start</a></p>
<p>Whose memory is meant: the header <code>neuromem-scope</code> (percent-encoded where it is not ASCII), else <code>?scope=</code>, else what the key opens, else the server's own scope. A key: <code>Authorization: Bearer KEY</code> or <code>x-api-key: KEY</code>.</p>
<p>指定记忆范围：请求头 <code>neuromem-scope</code>（非 ASCII 字符须百分号编码）或 <code>?scope=</code>，否则取密钥所属范围，再否则取服务器默认范围。</p>
<p>A POST with <code>Accept: text/event-stream</code> tells its progress: events <code>progress</code>, then <code>result</code> or <code>error</code>. A POST that changes something may carry an <code>idempotency-key</code>: sent again with the same body within a day, it is not done twice; the answers are kept in the server's process, the newest 10 000.</p>
<p>POST 请求带 <code>Accept: text/event-stream</code> 时会推送进度：先是 <code>progress</code> 事件，最后是 <code>result</code> 或 <code>error</code>。会改动记忆的 POST 可带 <code>idempotency-key</code>：一天之内以相同内容重发，不会重复执行；应答保存在服务器进程中，最多保留最近 10 000 条。</p>
</header>
<nav><ul>${OPERATIONS.map(contentsLine)}
<li><a href="#events"><span class="verb read">GET</span> <code>${EVENTS_PATH}</code></a> <span class="soft">the changes of a scope while they happen</span></li>
<li><a href="#errors">Errors</a></li></ul></nav>
${calls}
${eventsSection()}
${sharedSection(schemas)}
${errorsSection()}`,
  );
}

function contentsLine({ name, route, effect, summary }: Operation): Html {
  return html`<li><a href="#${name}"><span class="verb ${effect}">${route.method}</span> <code>${route.path}</code></a> <span class="soft">${summary.en}</span></li>
`;
}

function callSection(operation: Operation, schemas: Schemas): Html {
  const { name, summary, effect, route, kind } = operation;
  const input = schemas.schemaOf(operation.input, "input");
  const output =
    kind === "lines-out"
      ? "Lines of JSON, as they come."
      : pretty(schemas.schemaOf(operation.output, "output"));
  return html`<section id="${name}">
<h2><span class="verb ${effect}">${route.method}</span> <code>${route.path}</code></h2>
<p>${sentence(summary.en)}<br><span class="soft">${summary.zh}</span></p>
${fieldTable(input)}
${kind === "lines-in" ? html`<p>The body: lines of JSON (<code>application/x-ndjson</code>), as an export writes them.</p>` : ""}
<pre>${exampleOf(operation)}</pre>
<details><summary>What comes back</summary><pre>${output}</pre></details>
</section>
`;
}

function fieldTable({ properties, required }: JsonObject): Html {
  const fields = Object.entries(isObject(properties) ? properties : {});
  if (fields.length === 0) return html`<p class="soft">It takes nothing.</p>`;
  const needed = Array.isArray(required) ? required : [];
  return html`<table><thead><tr><th>field</th><th>type</th><th></th></tr></thead><tbody>${fields.map(
    ([
      name,
      schema,
    ]) => html`<tr><td><code>${name}</code>${needed.includes(name) ? " *" : ""}</td><td>${typeOf(schema)}</td><td>${descriptionOf(schema)}</td></tr>
`,
  )}</tbody></table>`;
}

/** In a few words; the whole of it is in openapi.json. */
function typeOf(schema: Json): string {
  if (!isObject(schema)) return "any";
  const { $ref, type, anyOf, oneOf, items, enum: values, const: only } = schema;
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (only !== undefined) return JSON.stringify(only);
  const ways = anyOf ?? oneOf;
  if (Array.isArray(ways)) return [...new Set(ways.map(typeOf))].join(" | ");
  if (type === "array") return `list of ${typeOf(items ?? {})}`;
  return typeof type === "string" ? type : "any";
}

function descriptionOf(schema: Json): string {
  return isObject(schema) && typeof schema.description === "string" ? schema.description : "";
}

function eventsSection(): Html {
  return html`<section id="events">
<h2><span class="verb read">GET</span> <code>${EVENTS_PATH}</code></h2>
<p>The changes of a scope while they happen, as server-sent events: <code>change</code> with an Event as data and its <code>seq</code> as id. It begins now, or after <code>?after=SEQ</code> or the header <code>Last-Event-ID</code>. To miss nothing, take <code>next</code> of <code>GET /v1/changes</code> first.<br><span class="soft">以服务器推送事件实时发送变化</span></p>
<pre>curl -N 'http://127.0.0.1:8765${EVENTS_PATH}?after=0'</pre>
</section>
`;
}

function sharedSection({ shared }: Schemas): Html {
  return html`<section id="types"><h2>Types</h2>${[...shared].sort().map(
    ([
      name,
      schema,
    ]) => html`<details id="type-${name}"><summary>${name}</summary><pre>${pretty(schema)}</pre></details>
`,
  )}</section>
`;
}

function errorsSection(): Html {
  return html`<section id="errors"><h2>Errors</h2>
<p>Every error has this shape; decide by <code>code</code>.</p>
<pre>${pretty({ error: { code: "input_invalid", message: "…", retryable: false, details: {}, requestId: "…" } })}</pre>
<table><thead><tr><th>code</th><th>status</th><th>try again</th></tr></thead><tbody>${Object.entries(
    ERROR_KINDS,
  ).map(
    ([
      code,
      { http, retryable },
    ]) => html`<tr><td><code>${code}</code></td><td>${http}</td><td>${retryable ? "yes" : "no"}</td></tr>
`,
  )}</tbody></table></section>`;
}

function sentence(summary: string): string {
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
}

function pretty(value: Json): string {
  return JSON.stringify(value, null, 2);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
