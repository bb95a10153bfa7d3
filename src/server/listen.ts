/**
 * How do requests come in, and how do they stop coming? A node server with a limit on everything that a client could draw
 * out or pile up: the time its headers and its body take, their size, how many connections there are. To close it is to stop
 * taking new ones, to answer what is under way and to hang up on those who only wait.
 */
import { createServer, type Server as HttpServer, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { MemoryError } from "../base/errors.ts";
import type { Limits } from "./server.ts";
import { bareReply, refuseOnSocket } from "./socket-reply.ts";

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Waits for what is under way, at most so long. @default 10 000 */
  close(graceMs?: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly limits: Pick<Limits, "requestMs">;
  /** Told what went wrong outside of any request. @default nobody */
  readonly log?: ((line: string) => void) | undefined;
}

interface App {
  fetch(request: Request, env: object): Response | Promise<Response>;
}

const HEADERS_MS = 10_000;
const KEEP_ALIVE_MS = 15_000;
const MAX_HEADER_BYTES = 16 * 1024;
export const MOST_CONNECTIONS = 1024;
const MOST_REQUESTS_OF_ONE = 10_000;
const GRACE_MS = 10_000;

export async function listen(app: App, options: ListenOptions): Promise<Listening> {
  const { host, port, limits, log = () => undefined } = options;
  const { requestMs } = limits;
  const headersTimeout = Math.min(HEADERS_MS, requestMs);
  const server = createServer({
    headersTimeout,
    requestTimeout: requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Refused all the same, though by us, with the reason.
    requireHostHeader: false,
    // How often it looks who is late.
    connectionsCheckingInterval: Math.min(1000, Math.ceil(headersTimeout / 2)),
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.maxRequestsPerSocket = MOST_REQUESTS_OF_ONE;
  const traffic = followTraffic(server);
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    // A program that serves a memory beside other things keeps its own Request and Response.
    overrideGlobalObjects: false,
    errorHandler: (error) => bareReply(error, log),
  });
  server.on("request", (incoming, outgoing) => void listener(incoming, outgoing));
  // What else a client expects is not ours to keep, and no reason not to answer.
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  server.on("clientError", (error, socket) => refuseOnSocket(error, socket, traffic.isAnswering(socket)));
  const taken = await bind(server, host, port);
  // One connection that could not be taken is no reason to hang up on all others.
  server.on("error", (error) => log(`The server on ${host}, port ${taken}: ${error.message}`));
  return {
    url: `http://${shownHost(host)}:${taken}`,
    port: taken,
    async close(graceMs = GRACE_MS) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      traffic.end();
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(late);
    },
  };
}

interface Traffic {
  /** Whether an answer has begun on it, which nothing may be written into. */
  isAnswering(socket: Duplex): boolean;
  /** Hangs up on those for whom nothing is under way, and on the others when it is done. */
  end(): void;
}

function followTraffic(server: HttpServer): Traffic {
  const underWay = new Map<Duplex, Set<ServerResponse>>();
  let isEnding = false;
  server.on("connection", (socket) => {
    underWay.set(socket, new Set());
    socket.once("close", () => underWay.delete(socket));
  });
  server.on("request", ({ socket }, outgoing) => {
    const answers = underWay.get(socket);
    answers?.add(outgoing);
    if (isEnding) outgoing.shouldKeepAlive = false;
    outgoing.once("close", () => {
      answers?.delete(outgoing);
      if (isEnding && answers?.size === 0) socket.destroySoon();
    });
  });
  return {
    isAnswering: (socket) => [...(underWay.get(socket) ?? [])].some(({ headersSent }) => headersSent),
    end() {
      isEnding = true;
      for (const [socket, answers] of underWay) {
        for (const outgoing of answers) outgoing.shouldKeepAlive = false;
        if (answers.size === 0) socket.destroy();
      }
    },
  };
}

function bind(server: HttpServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(notBound(error, host, port));
    server.once("error", fail);
    server.listen({ host, port }, () => {
      server.off("error", fail);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function notBound(cause: NodeJS.ErrnoException, host: string, port: number): MemoryError {
  const [why, valid] = {
    EADDRINUSE: [
      `The port ${port} of ${host} is taken`,
      `another port, as ${port + 1}, or 0 for any free one`,
    ],
    EACCES: [`The port ${port} of ${host} is not ours to take`, "a port from 1024 on"],
  }[cause.code ?? ""] ?? [
    `It cannot listen on ${host}, port ${port} (${cause.code ?? cause.message})`,
    "an address of this machine, as 127.0.0.1, and a port from 0 to 65535",
  ];
  return new MemoryError("option_invalid", `${why}. Valid: ${valid}.`, { cause });
}

/** Where everything is listened to, this machine is one way to reach it. */
function shownHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
