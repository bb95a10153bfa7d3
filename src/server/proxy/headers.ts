/**
 * Which headers go on? All that the two ends say to each other. What belongs to one line of the way (RFC 9110, 7.6.1) ends
 * here; so does what is said to this proxy alone, its keys first; and so does what only a browser's pages are told, for whom
 * this proxy decides itself.
 */
import type { IncomingMessage } from "node:http";
import { SCOPE_HEADER } from "../access.ts";

export const MEMORY_HEADER = "neuromem-memory";
export const SESSION_HEADER = "neuromem-session";

const OF_ONE_LINE = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
] as const;

/** The names of the lines above it, and cookies, which browsers send to every port of a machine. */
const NOT_SENT_ON = [
  "host",
  "expect",
  "content-length",
  "cookie",
  SCOPE_HEADER,
  MEMORY_HEADER,
  SESSION_HEADER,
];

/** Ours, by how it begins: no other server gets to see it. */
const OWN_KEY = /^(?:(?:bearer|token) +)?nm_/i;

export interface UpstreamKeys {
  /** Of the upstream server; undefined: the client has one, or none is needed. */
  readonly upstreamKey: string | undefined;
  /** A header in which the client names its session, by whatever name. */
  readonly sessionHeader: string;
}

export function requestHeaders(
  from: Headers,
  { upstreamKey, sessionHeader }: UpstreamKeys,
): Record<string, string> {
  const dropped = new Set<string>([
    ...OF_ONE_LINE,
    ...NOT_SENT_ON,
    sessionHeader,
    ...namedBy(from.get("connection")),
  ]);
  const sent: Record<string, string> = {};
  for (const [name, value] of from) {
    const isOwnKey = ["authorization", "x-api-key"].includes(name) && OWN_KEY.test(value);
    if (!dropped.has(name) && !isOwnKey) sent[name] = value;
  }
  if (sent.authorization === undefined && upstreamKey !== undefined)
    sent.authorization = `Bearer ${upstreamKey}`;
  return sent;
}

/** The query without the scope, which is said to us. */
export function sentQuery(url: string): string {
  const { search, searchParams } = new URL(url);
  if (!searchParams.has("scope")) return search;
  searchParams.delete("scope");
  return searchParams.toString();
}

export function replyHeaders({ rawHeaders, headers }: IncomingMessage): Headers {
  const dropped = new Set<string>([...OF_ONE_LINE, MEMORY_HEADER, ...namedBy(headers.connection ?? null)]);
  const kept = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = [rawHeaders[at]?.toLowerCase(), rawHeaders[at + 1]];
    if (!dropped.has(name) && !name.startsWith("access-control-")) kept.append(name, value);
  }
  return kept;
}

function namedBy(connection: string | null): string[] {
  return (connection ?? "").split(",").map((name) => name.trim().toLowerCase());
}
