/** What does a browser see? A small page that leads on, the reference, and the description for programs; the same for everybody. */
import type { Hono } from "hono";
import { html } from "./html.ts";
import { openApi } from "./openapi.ts";
import { pageFrame } from "./page-frame.ts";
import { referencePage } from "./reference-page.ts";
import type { Server, ServerEnv } from "./server.ts";

export function mountPages(app: Hono<ServerEnv>, { version }: Server): void {
  const description = once(() => JSON.stringify(openApi(version)));
  const reference = once(() => referencePage(version));
  const start = once(() => startPage(version));
  app.get("/openapi.json", (context) =>
    context.body(description(), 200, { "content-type": "application/json" }),
  );
  app.get("/docs", (context) => context.html(reference()));
  app.get("/", (context) => context.html(start()));
}

function startPage(version: string): string {
  return pageFrame(
    "NeuroMem",
    html`<h1>NeuroMem</h1>
<p class="soft">Version ${version}. Long-term memory for LLM agents. 面向大模型智能体的长期记忆。</p>
<ul class="plain">
<li><a href="/docs">Every call, with examples</a> <span class="soft">接口说明</span></li>
<li><a href="/openapi.json">openapi.json</a> <span class="soft">for programs</span></li>
<li><code>/mcp</code> <span class="soft">for MCP clients</span></li>
<li><a href="/health">/health</a>, <a href="/ready">/ready</a>, <a href="/metrics">/metrics</a></li>
</ul>`,
  );
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
