import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { inTurns } from "./in-turns.ts";
import { listen } from "./listen.ts";
import type { ServerEnv } from "./server.ts";

const CALLS = 30;

/** Who was served, in order, when many calls lie there at once and the first of them makes somebody ask for /health. */
async function servedOrder(middleware: "in turns" | "at once"): Promise<readonly string[]> {
  const order: string[] = [];
  const sockets: Socket[] = [];
  const app = new Hono<ServerEnv>();
  app.get("/health", (context) => {
    order.push("health");
    return context.text("ok");
  });
  if (middleware === "in turns") app.use(inTurns());
  app.get("/call", (context) => {
    if (order.length === 0) sockets.at(-1)?.write("GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n");
    order.push("call");
    const end = performance.now() + 3;
    while (performance.now() < end);
    return context.text("done");
  });
  const listening = await listen(app, { host: "127.0.0.1", port: 0, limits: { requestMs: 10_000 } });
  for (let n = 0; n <= CALLS; n++) {
    const socket = connect(listening.port, "127.0.0.1");
    await once(socket, "connect");
    sockets.push(socket);
  }
  const answers = sockets.map((socket) => once(socket, "data"));
  for (const socket of sockets.slice(0, -1)) socket.write("GET /call HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await Promise.all(answers);
  for (const socket of sockets) socket.destroy();
  await listening.close();
  return order;
}

test("a look at /health does not wait for all calls that are there", async () => {
  const order = await servedOrder("in turns");
  expect(order.filter((what) => what === "call")).toHaveLength(CALLS);
  expect(order.indexOf("health")).toBeLessThan(CALLS / 2);
});

test("without turns it would: the test sees the difference", async () => {
  expect((await servedOrder("at once")).indexOf("health")).toBeGreaterThan(CALLS / 2);
});
