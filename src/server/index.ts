/** `neuromem/server`: a memory over HTTP, MCP and the proxy, inside a program of your own. */
export { createApp } from "./app.ts";
export {
  createKey,
  type KeyInfo,
  listKeys,
  type NewKey,
  openKeyRing,
  revokeKey,
} from "./keys/key-ring.ts";
export { type StdioOptions, serveStdio } from "./mcp/stdio.ts";
export { createProxyApp, type ProxyApp } from "./proxy/proxy.ts";
export type { ProxyOptions } from "./proxy/proxy-options.ts";
export { type ServeProxyOptions, serveProxy } from "./proxy/serve-proxy.ts";
export { type ServeOptions, type Serving, serve } from "./serve.ts";
export type { Access, Caller, Door, KeyRing, Limits, Server, ServerEnv } from "./server.ts";
export { spanTrace } from "./spans.ts";
