import { PGlite } from "@electric-sql/pglite";
import { testStorage } from "../../testing/storage-suite.ts";
import { openPostgres } from "./postgres-storage.ts";

// One embedded server for the whole file: starting one takes seconds. Each storage gets an empty schema of its own.
let server: PGlite | undefined;
let made = 0;

testStorage({
  name: "postgres (embedded)",
  create: async (clock) => {
    server ??= await PGlite.create();
    const schema = `m${++made}`;
    await server.exec(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}`);
    return openPostgres({ query: server.query.bind(server), close: async () => undefined }, { clock });
  },
  reopen: (_, clock) => {
    if (server === undefined) throw new Error("nothing was created");
    return openPostgres({ query: server.query.bind(server), close: async () => undefined }, { clock });
  },
});
