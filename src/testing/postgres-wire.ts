/**
 * A PostgreSQL server without one: an embedded database (PGlite) behind a socket that speaks the protocol, so that a client
 * reaches it as it reaches a server. It has one session for all: one client works with it at a time.
 */
import { createServer, type Socket } from "node:net";

export interface WireDatabase {
  execProtocolRaw(message: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface PostgresWire {
  readonly url: string;
  /** As a server that is restarted: all who are connected lose their connection. */
  cut(): void;
  /** Closes the database, too. */
  close(): Promise<void>;
}

export async function openPostgresWire(database: WireDatabase): Promise<PostgresWire> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let turn: Promise<void> = Promise.resolve();
    socket.on("data", (data) => {
      turn = turn
        .then(async () => {
          const reply = await database.execProtocolRaw(data);
          if (!socket.destroyed && reply.length > 0) socket.write(reply);
        })
        .catch(() => void socket.destroy());
    });
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `postgres://postgres:secret-word@127.0.0.1:${port}/postgres`,
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
      await database.close();
    },
  };
}
