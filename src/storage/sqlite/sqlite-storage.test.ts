import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testStorage } from "../../testing/storage-suite.ts";
import { openSqlite } from "./sqlite-storage.ts";

let folder = "";
testStorage({
  name: "sqlite file",
  create: async (clock) => {
    folder = await mkdtemp(join(tmpdir(), "neuromem-"));
    return openSqlite(join(folder, "memory.db"), { clock });
  },
  reopen: (_, clock) => openSqlite(join(folder, "memory.db"), { clock }),
  destroy: () => rm(folder, { recursive: true }),
});
