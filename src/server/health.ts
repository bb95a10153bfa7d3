/**
 * Is it alive, and may it be asked? Two questions of whoever watches over a server: /health says that the process answers,
 * /ready that its memory does and that it is not about to end. Both need no key and tell nothing else.
 */
import type { Hono } from "hono";
import type { Server, ServerEnv } from "./server.ts";
import { pause } from "./sse.ts";

/** An answer that takes longer is none. */
const PATIENCE_MS = 2000;

export function mountHealth(app: Hono<ServerEnv>, server: Server): void {
  app.get("/health", (context) => context.json({ status: server.closing.aborted ? "closing" : "ok" }));
  app.get("/ready", async (context) => {
    const status = server.closing.aborted ? "closing" : await storageStatus(server);
    if (status === "ok") return context.json({ status });
    return context.json({ status }, 503, { "retry-after": "1" });
  });
}

async function storageStatus({ memory, log }: Server): Promise<"ok" | "storage_unavailable"> {
  const over = new AbortController();
  const late = pause(PATIENCE_MS, over.signal).then(() => false);
  try {
    const answers = memory
      .running()
      .storage.feed.head()
      .then(() => true);
    return (await Promise.race([answers, late])) ? "ok" : "storage_unavailable";
  } catch (error) {
    log(`The storage does not answer: ${String(error)}`);
    return "storage_unavailable";
  } finally {
    over.abort();
  }
}
