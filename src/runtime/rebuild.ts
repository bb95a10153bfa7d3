/**
 * Another design over the same journal. What the design made before in this scope goes and is derived anew; what other
 * designs made stays where it is, in collections of their own, until somebody drops it.
 */
import type { Scope } from "../base/scope.ts";
import type { OpenPreset } from "../preset/open.ts";
import type { Preset } from "../preset/preset.ts";
import type { Storage } from "../storage/storage.ts";
import { type Derived, type DeriveOptions, derive, startOver } from "./derive.ts";
import { closeRunning, openRunning, type Running } from "./running.ts";

export interface RebuildOptions extends Omit<DeriveOptions, "finish"> {
  /** The design to go over to. @default the one at work */
  readonly preset?: string | Preset | undefined;
}

export async function rebuild(
  memory: OpenPreset,
  storage: Storage,
  scope: Scope,
  options: Omit<DeriveOptions, "finish"> = {},
): Promise<Derived> {
  await startOver(memory, storage, scope);
  return derive(memory, storage, scope, { ...options, finish: true });
}

/** What is running afterwards: the same, or the other design, once its memories are made. */
export async function rebuildScope(
  running: Running,
  scope: Scope,
  { preset, ...options }: RebuildOptions,
): Promise<{ readonly running: Running; readonly derived: Derived }> {
  const next = preset === undefined ? running : await openRunning({ ...running.options, preset });
  try {
    const derived = await next.worker.alone(scope, options.signal, (signal) =>
      rebuild(next.design, next.storage, scope, { ...options, signal }),
    );
    if (next !== running) {
      await closeRunning(running);
      next.worker.kick();
    }
    return { running: next, derived };
  } catch (error) {
    if (next !== running) await closeRunning(next);
    throw error;
  }
}
