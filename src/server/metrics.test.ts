import { afterEach, expect, test } from "vitest";
import { type ServedMemory, type ServedOptions, serveMemory } from "../../test/fixtures/served-memory.ts";
import { RequestCounts } from "./metrics.ts";

let opened: ServedMemory[] = [];
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
});

async function served(options?: ServedOptions): Promise<ServedMemory> {
  const one = await serveMemory(options);
  opened.push(one);
  return one;
}

/** The numbers, by name and labels; every line must be of the format. */
function numbersIn(text: string): Map<string, number> {
  expect(text.endsWith("\n")).toBe(true);
  const numbers = new Map<string, number>();
  const typed = new Set<string>();
  for (const line of text.trimEnd().split("\n")) {
    if (line.startsWith("# HELP ")) continue;
    const type = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line);
    if (type !== null) {
      expect(typed.has(type[1] ?? "")).toBe(false);
      typed.add(type[1] ?? "");
      continue;
    }
    const [, name = "", labels = "", value = ""] =
      /^(\w+)(\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)+\})? (\S+)$/.exec(line) ?? [];
    expect([line, typed.has(name.replace(/_(bucket|sum|count)$/, "")) || typed.has(name)]).toEqual([
      line,
      true,
    ]);
    expect([line, Number.isFinite(Number(value))]).toEqual([line, true]);
    numbers.set(`${name}${labels}`, Number(value));
  }
  return numbers;
}

test("counts requests by route, method and status, and what is stored", async () => {
  const one = await served();
  await one.memory.remember("张伟住在上海。");
  for (const id of ["a", "b", "张"]) await one.call(`/v1/memories/${encodeURIComponent(id)}`);
  await one.call("/v1/status");
  await one.call("/v1/status", { method: "HEAD" });
  await one.call("/health");
  for (const path of ["/x", "/y?secret=1", "/v1/z"]) await one.call(path);
  await one.call("/v1/status", { method: "PUT" });
  const { status, headers, text } = await one.call("/metrics");
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  const numbers = numbersIn(text);
  const requests = (labels: string): number | undefined =>
    numbers.get(`neuromem_http_requests_total{${labels}}`);
  expect(requests('method="GET",route="/v1/memories/{id}",status="400"')).toBe(3);
  expect(requests('method="GET",route="/v1/status",status="200"')).toBe(1);
  expect(requests('method="HEAD",route="/v1/status",status="200"')).toBe(1);
  expect(requests('method="GET",route="/health",status="200"')).toBe(1);
  expect(requests('method="GET",route="unmatched",status="404"')).toBe(3);
  expect(requests('method="PUT",route="unmatched",status="405"')).toBe(1);
  expect(numbers.get("neuromem_http_requests_in_flight")).toBe(1);
  expect(numbers.get("neuromem_turns")).toBe(1);
  expect(numbers.get("neuromem_entries")).toBe(1);
  expect(numbers.get("neuromem_journal_waiting_turns")).toBe(0);
  expect(numbers.get("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  expect(
    [...numbers.keys()].some((name) => /^neuromem_build_info\{version="[^"]+",node="[^"]+"\}$/.test(name)),
  ).toBe(true);
  expect(text).not.toMatch(/secret|\/x|张/);
});

test("times fall into every bucket that is wide enough", () => {
  const counts = new RequestCounts();
  for (const ms of [0.5, 3, 40, 40, 60_000]) {
    counts.begin();
    counts.end({ method: "POST", route: "/v1/recall", status: 200, ms });
  }
  counts.begin();
  counts.end({ method: "BREW", route: 'odd"\\\n', status: 405, ms: 1 });
  const numbers = numbersIn(`${counts.lines().join("\n")}\n`);
  const name = "neuromem_http_request_duration_seconds";
  const place = 'method="POST",route="/v1/recall"';
  const below = (bound: string): number | undefined => numbers.get(`${name}_bucket{${place},le="${bound}"}`);
  expect(["0.001", "0.0025", "0.005", "0.05", "30", "+Inf"].map(below)).toEqual([1, 1, 2, 4, 4, 5]);
  expect(numbers.get(`${name}_count{${place}}`)).toBe(5);
  expect(numbers.get(`${name}_sum{${place}}`)).toBeCloseTo(60.0835, 6);
  expect(numbers.get('neuromem_http_requests_total{method="OTHER",route="odd\\"\\\\\\n",status="405"}')).toBe(
    1,
  );
  expect(numbers.get("neuromem_http_requests_in_flight")).toBe(0);
});

test("with keys, only one for all scopes may read what counts everybody; the pages stay open", async () => {
  const one = await served({ hasKeys: true });
  const all = await one.key({ scopes: "all", may: "read" });
  const some = await one.key({ scopes: ["mia"] });
  const several = await one.key({ scopes: ["mia", "王芳"] });
  const statusOf = async (path: string, key?: string): Promise<number> =>
    (await one.call(path, { key })).status;
  expect(await statusOf("/metrics")).toBe(401);
  expect(await statusOf("/metrics", some)).toBe(403);
  expect(await statusOf("/metrics", several)).toBe(403);
  expect(await statusOf("/metrics", all)).toBe(200);
  for (const path of ["/", "/docs", "/openapi.json", "/health", "/ready"])
    expect([path, await statusOf(path)]).toEqual([path, 200]);
  expect(await statusOf("/v1/status")).toBe(401);
});

test("a line for every request, where that is asked for, without what was said", async () => {
  const one = await served({ isVerbose: true });
  await one.call("/v1/recall?scope=mia", {
    json: { question: "秘密" },
    headers: { "x-request-id": "id-1" },
  });
  expect(one.log).toEqual([expect.stringMatching(/^id-1 POST \/v1\/recall 200 [\d.]+ ms$/)]);
});
