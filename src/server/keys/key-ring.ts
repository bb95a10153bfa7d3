/**
 * Which keys are there, and which one is this? A server holds the ring open and looks for a changed file at most once a
 * second, so a key that is revoked stops working on a running server within about that time. Where the file is gone or
 * broken no key is valid: it fails closed.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { stat } from "node:fs/promises";
import { type Clock, systemClock } from "../../base/clock.ts";
import { MemoryError } from "../../base/errors.ts";
import { parseScope } from "../../base/scope.ts";
import type { Access, KeyRing } from "../server.ts";
import { changeKeys, readKeys } from "./key-file.ts";
import { hashOf, isExpired, type KeyRecord, newSecret } from "./key-record.ts";

const LOOK_EVERY_MS = 1000;
const MAX_NAME = 100;

export function openKeyRing(file: string, clock: Clock = systemClock): KeyRing {
  let known: readonly KeyRecord[] = [];
  let seen = "";
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    const print = await fingerprint(file);
    if (print !== seen) {
      // Until the new ones are read, and if they cannot be, there are none.
      known = [];
      seen = "";
      known = await readKeys(file);
      seen = print;
    }
    lookedAt = performance.now();
  };

  return {
    async find(secret) {
      if (performance.now() - lookedAt >= LOOK_EVERY_MS) {
        looking ??= look().finally(() => {
          looking = undefined;
        });
        await looking.catch(notRead);
      }
      const found = matching(known, hashOf(secret));
      return found === undefined || isExpired(found, clock.now()) ? undefined : accessOf(found);
    },
  };
}

/** Whoever shows a key is not told where the keys are. */
function notRead(cause: unknown): never {
  throw new MemoryError(
    MemoryError.is(cause) ? cause.code : "storage_io",
    "The keys of this server cannot be read, so nobody is let in. Its log says why.",
    { cause },
  );
}

/** All are compared, in the same time each, wherever the match is. */
function matching(keys: readonly KeyRecord[], hash: Buffer): KeyRecord | undefined {
  let found: KeyRecord | undefined;
  for (const key of keys) {
    if (timingSafeEqual(Buffer.from(key.sha256, "hex"), hash)) found = key;
  }
  return found;
}

function accessOf({ id, scopes, may }: KeyRecord): Access {
  return { key: id, scopes, may };
}

/** Another file took its place, or it was written to. */
async function fingerprint(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "none";
    throw new MemoryError(
      "storage_io",
      `The keys in ${file} could not be read. Valid: a file you may read.`,
      {
        cause: error,
      },
    );
  }
}

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[] | "all";
  /** @default write */
  readonly may?: "read" | "write" | undefined;
  /** @default never */
  readonly expiresAt?: number | null | undefined;
}

/** What may be told of a key. */
export type KeyInfo = Omit<KeyRecord, "sha256"> & { readonly isExpired: boolean };

/** The secret is given here and kept nowhere. */
export async function createKey(
  file: string,
  { name, scopes, may = "write", expiresAt = null }: NewKey,
  clock: Clock = systemClock,
): Promise<{ readonly secret: string; readonly key: KeyInfo }> {
  const secret = newSecret();
  const now = clock.now();
  const record: KeyRecord = {
    id: randomBytes(4).toString("hex"),
    name: checkedName(name),
    sha256: hashOf(secret).toString("hex"),
    scopes: scopes === "all" ? "all" : checkedScopes(scopes),
    may,
    createdAt: now,
    expiresAt,
  };
  await changeKeys(file, (keys) => [...keys, record]);
  return { secret, key: infoOf(record, now) };
}

export async function listKeys(file: string, clock: Clock = systemClock): Promise<readonly KeyInfo[]> {
  const now = clock.now();
  return (await readKeys(file)).map((record) => infoOf(record, now));
}

/** Gone for good: a running server refuses it within about a second. */
export async function revokeKey(file: string, id: string, clock: Clock = systemClock): Promise<KeyInfo> {
  let revoked: KeyRecord | undefined;
  await changeKeys(file, (keys) => {
    revoked = keys.find((key) => key.id === id);
    if (revoked === undefined) {
      const ids = keys.map((key) => key.id);
      throw new MemoryError(
        "unknown_name",
        `There is no key ${id.slice(0, 20)}. ${ids.length === 0 ? "There are none." : `Valid: ${ids.join(", ")}.`}`,
        { details: { valid: ids } },
      );
    }
    return keys.filter((key) => key.id !== id);
  });
  if (revoked === undefined) throw new MemoryError("invariant", "A key was neither found nor missed.");
  return infoOf(revoked, clock.now());
}

function infoOf(record: KeyRecord, now: number): KeyInfo {
  const { sha256: _, ...told } = record;
  return { ...told, isExpired: isExpired(record, now) };
}

function checkedName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (name.trim() !== "" && name.length <= MAX_NAME && !/[\u0000-\u001f\u007f]/.test(name))
    return name.trim();
  throw new MemoryError(
    "input_invalid",
    `A key needs a name by which you know it again. Valid: 1 to ${MAX_NAME} characters on one line.`,
  );
}

function checkedScopes(scopes: readonly string[]): readonly string[] {
  if (scopes.length > 0) return [...new Set(scopes.map(parseScope))];
  throw new MemoryError(
    "input_invalid",
    `A key without scopes opens nothing. Valid: names of scopes, or "all".`,
  );
}
