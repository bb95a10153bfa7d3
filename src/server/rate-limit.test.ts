/** How often one may ask, by key and by address; through a real server. */
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { serveMemory } from "../../test/fixtures/served-memory.ts";
import { addressOf } from "./address.ts";
import { rateLimit } from "./rate-limit.ts";
import type { ServerEnv } from "./server.ts";

const limits = { perMinute: 5, bodyBytes: 1, importBytes: 1, requestMs: 1 };

test("a flood is refused and told when to come back; others are not held up", async () => {
  const served = await serveMemory({ hasKeys: true, limits: { perMinute: 5 } });
  const [mia, ben] = [await served.key({ scopes: ["mia"] }), await served.key({ scopes: ["ben"] })];
  for (let left = 4; left >= 0; left--) {
    const { status, headers } = await served.call("/v1/status", { key: mia });
    expect(status).toBe(200);
    expect(headers.get("ratelimit-limit")).toBe("5");
    expect(headers.get("ratelimit-remaining")).toBe(String(left));
  }
  const refused = await served.call("/v1/status", { key: mia });
  expect(refused).toMatchObject({ status: 429, json: { error: { code: "rate_limited", retryable: true } } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(10);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(12);
  expect(refused.headers.get("x-content-type-options")).toBe("nosniff");
  expect((await served.call("/v1/status", { key: ben })).status).toBe(200);
  // Guessing is counted by address, so another guess is no way around it.
  const guesses = [];
  for (let place = 0; place < 7; place++)
    guesses.push((await served.call("/v1/status", { key: `nm_guess${place}` })).status);
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  expect((await served.call("/v1/status", { key: ben })).status).toBe(200);
  for (let place = 0; place < 10; place++) expect((await served.call("/health")).status).toBe(200);
  await served.close();
});

test("without a limit nobody is counted", async () => {
  const served = await serveMemory();
  const { headers } = await served.call("/v1/status");
  expect(headers.has("ratelimit-limit")).toBe(false);
  await served.close();
});

test("the bucket fills evenly, and never beyond a minute's worth", async () => {
  let now = 0;
  const app = new Hono<ServerEnv>();
  app.use(rateLimit({ keys: null, limits }, () => now));
  app.get("/", (context) => context.text("here"));
  const ask = async (times: number): Promise<number[]> => {
    const statuses = [];
    for (let time = 0; time < times; time++) statuses.push((await app.request("/")).status);
    return statuses;
  };
  expect(await ask(6)).toEqual([200, 200, 200, 200, 200, 429]);
  now = 11_000;
  expect(await ask(1)).toEqual([429]);
  now = 12_000;
  expect(await ask(2)).toEqual([200, 429]);
  now = 10_000_000;
  expect(await ask(6)).toEqual([200, 200, 200, 200, 200, 429]);
});

describe("an address", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
    ["2001:db8::6", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("%s is counted as %s", async (remoteAddress, expected) => {
    const app = new Hono<ServerEnv>();
    app.get("/", (context) => context.text(addressOf(context)));
    const reply = await app.request("/", {}, { incoming: { socket: { remoteAddress } } });
    expect(await reply.text()).toBe(expected);
  });
});
