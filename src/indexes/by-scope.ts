/** What belongs to whom? One part per scope, made when the scope is first seen; a query sees the parts of its scopes only. */
import type { Scope } from "../base/scope.ts";
import type { Ordinals } from "./ordinals.ts";

/** Every ordinal that an id holds, ascending. */
export function* heldOrdinals(ordinals: Ordinals): Iterable<number> {
  for (let ordinal = 0; ordinal < ordinals.end; ordinal++) if (ordinals.scopeAt(ordinal) >= 0) yield ordinal;
}

export class ByScope<Part> {
  readonly #make: () => Part;
  /** By scope number. */
  readonly #parts: Part[];

  constructor(make: () => Part, parts: readonly Part[] = []) {
    this.#make = make;
    this.#parts = [...parts];
  }

  get all(): readonly Part[] {
    return this.#parts;
  }

  /** The part of the entry behind the ordinal. */
  partOf(ordinals: Ordinals, ordinal: number): Part {
    const scope = ordinals.scopeAt(ordinal);
    while (this.#parts.length <= scope) this.#parts.push(this.#make());
    return this.#parts[scope] as Part;
  }

  visible(ordinals: Ordinals, scopes: readonly Scope[]): Part[] {
    const numbers = new Set(scopes.map((scope) => ordinals.scopeNumber(scope)));
    return this.#parts.filter((_, number) => numbers.has(number));
  }
}
