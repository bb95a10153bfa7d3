/**
 * How does the server fare? Numbers in the text format of Prometheus, written by hand: requests and their times by route, what
 * is under way, what is stored and waits, what the process uses. A route is its template, never a path as it came, so the
 * labels stay as few as the routes. They count everybody: with keys, only one that opens all scopes may read them.
 */
import type { Hono } from "hono";
import { MemoryError } from "../base/errors.ts";
import { parseScope } from "../base/scope.ts";
import { waitingTurns } from "../runtime/derive.ts";
import { accessOf } from "./access.ts";
import type { HeadWatcher } from "./head-watcher.ts";
import type { Server, ServerEnv } from "./server.ts";

/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
const METHODS = new Set(["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"]);

interface Times {
  readonly counts: number[];
  count: number;
  sum: number;
}

interface Done {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

export class RequestCounts {
  inFlight = 0;
  readonly #requests = new Map<string, number>();
  readonly #times = new Map<string, Times>();

  begin(): void {
    this.inFlight += 1;
  }

  end({ method, route, status, ms }: Done): void {
    this.inFlight -= 1;
    const place = labels({ method: METHODS.has(method) ? method : "OTHER", route });
    const request = `${place},${labels({ status: String(status) })}`;
    this.#requests.set(request, (this.#requests.get(request) ?? 0) + 1);
    const times = this.#times.get(place) ?? { counts: BUCKETS.map(() => 0), count: 0, sum: 0 };
    this.#times.set(place, times);
    times.count += 1;
    times.sum += ms / 1000;
    const bucket = BUCKETS.findIndex((bound) => ms / 1000 <= bound);
    if (bucket >= 0) times.counts[bucket] = (times.counts[bucket] ?? 0) + 1;
  }

  lines(): string[] {
    const name = "neuromem_http_request_duration_seconds";
    return [
      ...family("neuromem_http_requests_total", "counter", "Requests that were answered.", this.#requests),
      `# HELP ${name} Time to the answer, or to its beginning where it is a stream.`,
      `# TYPE ${name} histogram`,
      ...[...this.#times].flatMap(([place, times]) => timeLines(name, place, times)),
      ...gauge("neuromem_http_requests_in_flight", "Requests under way, this one among them.", this.inFlight),
    ];
  }
}

export function mountMetrics(
  app: Hono<ServerEnv>,
  server: Server,
  counts: RequestCounts,
  watcher: HeadWatcher,
): void {
  app.get("/metrics", async (context) => {
    const { scopes } = await accessOf(context, server);
    if (scopes !== "all")
      throw new MemoryError(
        "key_forbidden",
        "The metrics count everybody, and this key opens some scopes only. Valid: a key for all scopes.",
      );
    const lines = [
      ...counts.lines(),
      ...gauge("neuromem_event_streams", "Who follows changes and waits.", watcher.waiting),
      ...(await memoryLines(server)),
      ...processLines(server.version),
    ];
    return context.body(`${lines.join("\n")}\n`, 200, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
    });
  });
}

async function memoryLines({ memory, scope }: Server): Promise<string[]> {
  const { storage, design } = memory.running();
  const { turns, entries, events, jobs, bytes } = await storage.stats();
  const waiting = await waitingTurns(design, storage, parseScope(scope));
  return [
    ...gauge("neuromem_turns", "Turns in the journal, of all scopes.", turns),
    ...gauge("neuromem_entries", "Stored memories, of all scopes and designs.", entries),
    ...gauge("neuromem_events", "Changes in the log.", events),
    ...gauge("neuromem_jobs", "Background jobs in any state.", jobs),
    ...gauge("neuromem_storage_bytes", "Size of what is stored.", bytes),
    ...gauge(
      "neuromem_journal_waiting_turns",
      "Turns that are not taken up yet, of the scope that is meant when none is named.",
      waiting,
    ),
  ];
}

function processLines(version: string): string[] {
  const { rss, heapUsed } = process.memoryUsage();
  const started = Math.round(Date.now() / 1000 - process.uptime());
  return [
    ...gauge("process_resident_memory_bytes", "Memory of the process.", rss),
    ...gauge("nodejs_heap_size_used_bytes", "Memory of its objects.", heapUsed),
    ...gauge("process_start_time_seconds", "When it was started.", started),
    ...family("neuromem_build_info", "gauge", "Versions.", [
      [labels({ version, node: process.versions.node }), 1],
    ]),
  ];
}

// --- the format ---

function gauge(name: string, help: string, value: number): string[] {
  return family(name, "gauge", help, [["", value]]);
}

function family(
  name: string,
  type: "counter" | "gauge",
  help: string,
  values: Iterable<readonly [string, number]>,
): string[] {
  const lines = [...values].map(([place, value]) => `${name}${place === "" ? "" : `{${place}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function timeLines(name: string, place: string, { counts, count, sum }: Times): string[] {
  let below = 0;
  const buckets = BUCKETS.map((bound, index) => {
    below += counts[index] ?? 0;
    return `${name}_bucket{${place},le="${bound}"} ${below}`;
  });
  return [
    ...buckets,
    `${name}_bucket{${place},le="+Inf"} ${count}`,
    `${name}_sum{${place}} ${sum}`,
    `${name}_count{${place}} ${count}`,
  ];
}

function labels(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        `${name}="${value.replace(/["\\\n]/g, (sign) => (sign === "\n" ? "\\n" : `\\${sign}`))}"`,
    )
    .join(",");
}
