/**
 * Another design over the same journal. What the design made before in this scope goes and is derived anew; what other
 * designs made stays where it is, in collections of their own, until somebody drops it.
 */
import type { Scope } from "../base/scope.ts";
import type { OpenPreset } from "../preset/open.ts";
import type { Storage } from "../storage/storage.ts";
import { type Derived, type DeriveOptions, derive, startOver } from "./derive.ts";

export async function rebuild(
  memory: OpenPreset,
  storage: Storage,
  scope: Scope,
  options: Omit<DeriveOptions, "finish"> = {},
): Promise<Derived> {
  await startOver(memory, storage, scope);
  return derive(memory, storage, scope, { ...options, finish: true });
}
