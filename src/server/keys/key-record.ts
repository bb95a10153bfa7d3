/**
 * What is kept of a key? Never the key: only its SHA-256, by which it is known again when somebody shows it. A key is 32
 * random bytes, so nobody finds it by trying and a slow hash would add nothing but waiting.
 */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";

export const keyRecordSchema = z.strictObject({
  /** To name it by, as in `neuromem key revoke ID`; says nothing about the key. */
  id: z.string().regex(/^[0-9a-f]{8}$/),
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.union([z.literal("all"), z.array(z.string()).min(1).readonly()]),
  may: z.enum(["read", "write"]),
  createdAt: z.number(),
  /** null: until it is revoked. */
  expiresAt: z.number().nullable(),
});

export type KeyRecord = z.infer<typeof keyRecordSchema>;

/** Tells people and scanners of leaked secrets whose key it is. */
const PREFIX = "nm_";
const SECRET_BYTES = 32;

export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret, "utf8").digest();
}

export function isExpired({ expiresAt }: KeyRecord, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}
