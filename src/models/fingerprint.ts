/** The same question, the same name: a SHA-256 over everything that decides a reply, in an order that does not depend on the caller's. */
import { createHash } from "node:crypto";

export function fingerprint(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts, sorted)).digest("hex");
}

/** Object keys in alphabetical order; JSON leaves out what is undefined by itself. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
