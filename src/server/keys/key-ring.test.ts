/** Keys on a real file: made, found, expired, revoked, by several at once. */
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKey, listKeys, openKeyRing, revokeKey } from "./key-ring.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-keys-"));
  file = join(folder, "memory.db.keys.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("a key", () => {
  test("opens what it was made for; its secret is in no file", async () => {
    const { secret, key } = await createKey(file, { name: "laptop", scopes: ["mia", "王芳"] });
    expect(secret).toMatch(/^nm_[\w-]{43}$/);
    expect(key).toMatchObject({ name: "laptop", scopes: ["mia", "王芳"], may: "write", isExpired: false });
    expect(await openKeyRing(file).find(secret)).toEqual({
      key: key.id,
      scopes: ["mia", "王芳"],
      may: "write",
    });
    const text = await readFile(file, "utf8");
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.slice(3));
    expect(text).toContain(createHash("sha256").update(secret).digest("hex"));
    expect(JSON.stringify(await listKeys(file))).not.toContain(
      createHash("sha256").update(secret).digest("hex"),
    );
    expect(await readdir(folder)).toEqual(["memory.db.keys.json"]);
  });

  test.skipIf(process.platform === "win32")("is in a file that only its owner may read", async () => {
    await writeFile(`${file}.part`, "left behind", { mode: 0o666 });
    await createKey(file, { name: "a", scopes: "all" });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("is found among others, and nothing like it is", async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, place) => createKey(file, { name: `k${place}`, scopes: [`s${place}`] })),
    );
    const ring = openKeyRing(file);
    for (const [place, { secret }] of made.entries())
      expect(await ring.find(secret)).toMatchObject({ scopes: [`s${place}`] });
    const { secret } = made[3] ?? { secret: "" };
    for (const other of ["", "nm_", secret.slice(0, -1), `${secret}A`, secret.toUpperCase(), ` ${secret}`])
      expect(await ring.find(other)).toBeUndefined();
  });

  test("expires by the clock", async () => {
    let now = 1_000_000;
    const clock = { now: () => now };
    const { secret } = await createKey(file, { name: "short", scopes: "all", expiresAt: 1_000_500 }, clock);
    const ring = openKeyRing(file, clock);
    expect(await ring.find(secret)).toBeDefined();
    now = 1_000_500;
    expect(await ring.find(secret)).toBeUndefined();
    expect(await listKeys(file, clock)).toMatchObject([{ isExpired: true }]);
  });

  test("that is revoked is refused within about a second; a new one is known", async () => {
    const { secret, key } = await createKey(file, { name: "a", scopes: "all" });
    const ring = openKeyRing(file);
    expect(await ring.find(secret)).toBeDefined();
    expect(await revokeKey(file, key.id)).toMatchObject({ id: key.id, name: "a" });
    const { secret: next } = await createKey(file, { name: "b", scopes: ["mia"], may: "read" });
    await expect.poll(() => ring.find(secret), { timeout: 2000 }).toBeUndefined();
    expect(await ring.find(next)).toMatchObject({ scopes: ["mia"], may: "read" });
    expect((await listKeys(file)).map(({ name }) => name)).toEqual(["b"]);
  });
});

describe("what cannot be", () => {
  test("a key that is not there is not revoked, and the others are named", async () => {
    const { key } = await createKey(file, { name: "a", scopes: "all" });
    await expect(revokeKey(file, "00000000")).rejects.toMatchObject({
      code: "unknown_name",
      message: expect.stringContaining(key.id),
    });
    expect(await listKeys(file)).toHaveLength(1);
  });

  test("a name, and scopes that are some", async () => {
    await expect(createKey(file, { name: " ", scopes: "all" })).rejects.toMatchObject({
      code: "input_invalid",
    });
    await expect(createKey(file, { name: "a\nb", scopes: "all" })).rejects.toMatchObject({
      code: "input_invalid",
    });
    await expect(createKey(file, { name: "a", scopes: [] })).rejects.toMatchObject({ code: "input_invalid" });
    await expect(createKey(file, { name: "a", scopes: ["../x y"] })).rejects.toMatchObject({
      code: "scope_invalid",
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test("with no file, or one that is broken, nobody gets in", async () => {
    const { secret } = await createKey(file, { name: "a", scopes: "all" });
    expect(await openKeyRing(join(folder, "none.json")).find(secret)).toBeUndefined();
    const ring = openKeyRing(file);
    expect(await ring.find(secret)).toBeDefined();
    await writeFile(file, '{"version":1,"keys":[{"id":"nm_pasted"}]}');
    await expect(openKeyRing(file).find(secret)).rejects.toMatchObject({ code: "storage_corrupt" });
    await expect
      .poll(() => ring.find(secret).catch(({ code }) => code), { timeout: 2000 })
      .toBe("storage_corrupt");
    const refusal: unknown = await ring.find(secret).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "storage_corrupt", message: expect.not.stringContaining(folder) });
    expect(refusal).toMatchObject({ cause: { message: expect.stringContaining(file) } });
    await writeFile(file, "nm_pasted");
    const logged = inspect(
      await openKeyRing(file)
        .find(secret)
        .catch((error: unknown) => error),
    );
    expect(logged).toContain("storage_corrupt");
    expect(logged + inspect(refusal)).not.toContain("nm_pasted");
  });
});

describe("several writers", () => {
  test("none is lost", async () => {
    await Promise.all(
      Array.from({ length: 25 }, (_, place) => createKey(file, { name: `k${place}`, scopes: "all" })),
    );
    const names = (await listKeys(file)).map(({ name }) => name);
    expect(new Set(names).size).toBe(25);
    expect(await readdir(folder)).toEqual(["memory.db.keys.json"]);
  });

  test("one that died with the lock does not keep the others out for ever", async () => {
    await writeFile(`${file}.lock`, "");
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, longAgo, longAgo);
    await createKey(file, { name: "a", scopes: "all" });
    expect(await listKeys(file)).toHaveLength(1);
  });
});
