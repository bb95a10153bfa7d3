/**
 * What does the server answer, and in which order is a request looked at? From the outside in: it is counted and given an id,
 * its answer gets the headers that browsers heed, it is refused if it was not meant for us, comes from somebody else's page,
 * too often or with a path that means nothing; one that was done already gets its answer again. Then it reaches its route,
 * and there the key and the scope are asked for (access.ts) by every door alike.
 */
import { Hono } from "hono";
import { cors } from "./cors.ts";
import { errorReply } from "./error-reply.ts";
import { mountEvents } from "./events-stream.ts";
import { createHeadWatcher } from "./head-watcher.ts";
import { mountHealth } from "./health.ts";
import { hostGuard } from "./host-guard.ts";
import { idempotent } from "./idempotency.ts";
import { inTurns } from "./in-turns.ts";
import { mountMcp } from "./mcp/http.ts";
import { mountMem0 } from "./mem0/mem0.ts";
import { mountMetrics, RequestCounts } from "./metrics.ts";
import { noRoute } from "./no-route.ts";
import { mountPages } from "./pages.ts";
import { rateLimit } from "./rate-limit.ts";
import { requests, wellFormedUrl } from "./requests.ts";
import { mountOperations } from "./routes.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Server, ServerEnv } from "./server.ts";

export function createApp(server: Server): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const counts = new RequestCounts();
  const watcher = createHeadWatcher(server.memory);
  app.onError(errorReply);
  app.notFound(noRoute(app));

  app.use(requests(server, counts));
  app.use(securityHeaders());
  app.use(hostGuard(server));
  app.use(cors(server.origins));
  app.use(rateLimit(server));
  app.use(wellFormedUrl);
  app.use(idempotent(server));

  mountHealth(app, server);
  mountMetrics(app, server, counts, watcher);
  mountPages(app, server);
  mountEvents(app, server, watcher);
  app.use(inTurns());
  mountOperations(app, server);
  mountMcp(app, server);
  mountMem0(app, server);
  return app;
}
