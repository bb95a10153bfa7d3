/** Over the wire, through the package pg, as a server is reached; the storage's laws are tried beside this file. */
import { PGlite } from "@electric-sql/pglite";
import { afterAll, describe, expect, test } from "vitest";
import { manualClock } from "../../base/clock.ts";
import { parseScope } from "../../base/scope.ts";
import { appendTurns } from "../../pipeline/journal.ts";
import { openPostgresWire, type PostgresWire } from "../../testing/postgres-wire.ts";
import { openPostgresAt } from "./open-url.ts";

let server: { readonly database: PGlite; readonly wire: PostgresWire } | undefined;
let made = 0;
afterAll(() => server?.wire.close());

/** Starting a server takes seconds, so all tests share one; each gets an empty schema. */
async function emptySchema(): Promise<PostgresWire> {
  if (server === undefined) {
    const database = await PGlite.create();
    server = { database, wire: await openPostgresWire(database) };
  }
  const schema = `w${++made}`;
  await server.database.exec(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}`);
  return server.wire;
}

describe("openPostgresAt", () => {
  const MIA = parseScope("mia");
  const clock = manualClock(Date.UTC(2026, 4, 1));

  test("single settings do as an address does, in English and Chinese", async () => {
    const { url } = await emptySchema();
    const { hostname: host, port } = new URL(url);
    const storage = await openPostgresAt(
      { host, port: Number(port), database: "postgres", user: "postgres" },
      { clock },
    );
    await appendTurns(storage, MIA, [{ text: "I moved to Rome." }, { text: "我搬到了罗马。" }], clock);
    await storage.close();
    const again = await openPostgresAt(url, { clock });
    expect((await again.turns(MIA, { limit: 9 })).map(({ text }) => text)).toEqual([
      "I moved to Rome.",
      "我搬到了罗马。",
    ]);
    await again.close();
  });

  test("a connection that was lost is made anew for the next transaction; nobody writes outside of one", async () => {
    const { url, cut } = await emptySchema();
    const storage = await openPostgresAt(url, { clock });
    await appendTurns(storage, MIA, [{ text: "Before." }], clock);
    cut();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await appendTurns(storage, MIA, [{ text: "After." }], clock);
    expect((await storage.turns(MIA, { limit: 9 })).map(({ text }) => text)).toEqual(["Before.", "After."]);
    await storage.close();
  });

  test.each([
    ["no address", "memory.db"],
    ["another server's", "mysql://u:secret-word@host/db"],
  ])("%s is refused, and no password is repeated", async (_what, address) => {
    const refused = openPostgresAt(address);
    await expect(refused).rejects.toMatchObject({ code: "input_invalid" });
    await expect(refused).rejects.not.toThrow("secret-word");
    await expect(openPostgresAt({ host: "", database: "d", user: "u" })).rejects.toMatchObject({
      code: "input_invalid",
    });
  });

  test("[C-29] a server that is not there fails the opening, with its place and without the password", async () => {
    const url = "postgres://mia:secret-word@127.0.0.1:1/memories";
    const refused = openPostgresAt(url, { connectTimeoutMs: 2000 });
    await expect(refused).rejects.toMatchObject({ code: "storage_io", retryable: true });
    await expect(refused).rejects.toThrow("127.0.0.1:1");
    await expect(refused).rejects.not.toThrow("secret-word");
  });
});
