import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { openInMemory } from "../storage/memory.ts";
import { openPostgres } from "../storage/postgres/postgres-storage.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import { testCollection } from "../testing/collection-suite.ts";

testCollection({ name: "memory", create: (clock) => openInMemory({ clock }) });

let folder = "";
testCollection({
  name: "a file",
  create: async (clock) => {
    folder = await mkdtemp(join(tmpdir(), "neuromem-"));
    return openSqlite(join(folder, "memory.db"), { clock });
  },
  reopen: (_, clock) => openSqlite(join(folder, "memory.db"), { clock }),
  destroy: () => rm(folder, { recursive: true }),
});

let server: PGlite | undefined;
let made = 0;
testCollection({
  name: "an embedded server",
  runs: 5,
  create: async (clock) => {
    server ??= await PGlite.create();
    const schema = `m${++made}`;
    await server.exec(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}`);
    return openPostgres({ query: server.query.bind(server), close: async () => undefined }, { clock });
  },
});
