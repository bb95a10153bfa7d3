/** A real port: how it is taken, and how it is given back. */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { listen } from "./listen.ts";

const limits = { requestMs: 5000 };
const local = { host: "127.0.0.1", port: 0, limits };

test("what is under way is answered, whoever waits is hung up on, and nobody new gets in", async () => {
  const app = new Hono();
  app.get("/slow", async (context) => {
    await sleep(400);
    return context.text("done");
  });
  app.get("/", (context) => context.text("here"));
  const { url, port, close } = await listen(app, local);
  expect(await (await fetch(url)).text()).toBe("here");
  const idle = connect(port, "127.0.0.1");
  const isHungUp = new Promise<boolean>((resolve) => idle.on("close", () => resolve(true)));
  idle.on("error", () => undefined);
  await new Promise((resolve) => idle.on("connect", resolve));
  const slow = fetch(`${url}/slow`);
  await sleep(100);
  const closed = close(10_000);
  await expect(fetch(url)).rejects.toThrow();
  const reply = await slow;
  expect(await reply.text()).toBe("done");
  expect(reply.headers.get("connection")).toBe("close");
  const started = performance.now();
  await closed;
  expect(performance.now() - started).toBeLessThan(2000);
  expect(await isHungUp).toBe(true);
});

test("what does not end in time is cut off, and is told so by its signal", async () => {
  const app = new Hono();
  const aborted = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  app.get("/", async ({ req }) => {
    req.raw.signal.addEventListener("abort", () => aborted.resolve());
    begun.resolve();
    await aborted.promise;
    return new Response("too late");
  });
  const { url, close } = await listen(app, local);
  const hanging = fetch(url);
  hanging.catch(() => undefined);
  await begun.promise;
  const started = performance.now();
  await close(200);
  expect(performance.now() - started).toBeLessThan(2000);
  await expect(hanging).rejects.toThrow();
  await aborted.promise;
});

test("a port that is taken or none is refused with what would be valid", async () => {
  const app = new Hono();
  const { port, close } = await listen(app, local);
  await expect(listen(app, { ...local, port })).rejects.toMatchObject({
    code: "option_invalid",
    message: `The port ${port} of 127.0.0.1 is taken. Valid: another port, as ${port + 1}, or 0 for any free one.`,
  });
  await expect(listen(app, { ...local, host: "203.0.113.1" })).rejects.toMatchObject({
    code: "option_invalid",
  });
  await close();
  const again = await listen(app, { ...local, port });
  expect(again.url).toBe(`http://127.0.0.1:${port}`);
  await again.close();
});

test("a program's own Request and Response stay as they are", async () => {
  const [request, response] = [globalThis.Request, globalThis.Response];
  const { close } = await listen(new Hono(), local);
  expect(globalThis.Request).toBe(request);
  expect(globalThis.Response).toBe(response);
  await close();
});

test("an app that fails altogether is answered without its text, which the log has", async () => {
  const lines: string[] = [];
  const fetchFails = (): never => {
    throw new TypeError("the 秘密 text");
  };
  const { url, close } = await listen({ fetch: fetchFails }, { ...local, log: (line) => lines.push(line) });
  const reply = await fetch(url);
  const body: { error: { code: string; message: string; requestId: string } } = JSON.parse(
    await reply.text(),
  );
  await close();
  expect([reply.status, body.error.code]).toEqual([500, "invariant"]);
  expect(body.error.message).not.toContain("秘密");
  expect(lines).toEqual([expect.stringContaining("the 秘密 text")]);
  expect(lines[0]).toContain(body.error.requestId);
});
