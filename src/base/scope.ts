/**
 * Who may see a thing. `public` sees public; any other scope sees itself and public; nothing else exists (C-31).
 * A `Scope` can only be made by `parseScope`, and every read and write asks for one, so forgetting the caller is a
 * compile error, not a leak.
 */
import { MemoryError } from "./errors.ts";

declare const scope: unique symbol;
export type Scope = string & { readonly [scope]: true };

const PATTERN = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_.:@/-]{0,127}$/u;

export const PUBLIC: Scope = "public" as Scope;

export function parseScope(value: unknown): Scope {
  if (typeof value !== "string" || !PATTERN.test(value) || value !== value.normalize("NFC")) {
    const shown =
      typeof value === "string"
        ? `"${value.slice(0, 40)}"`
        : value === null
          ? "null"
          : `A value of type ${typeof value}`;
    throw new MemoryError(
      "scope_invalid",
      `${shown} is not a scope. Valid: "public" or a name of 1–128 letters, digits and _ . : @ / -, starting with a letter or digit.`,
    );
  }
  return value as Scope;
}

/** The scopes a caller reads, its own first. */
export function visibleScopes(from: Scope): readonly Scope[] {
  return from === PUBLIC ? [PUBLIC] : [from, PUBLIC];
}

export function canSee(from: Scope, owner: Scope): boolean {
  return owner === from || owner === PUBLIC;
}
