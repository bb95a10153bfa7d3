/**
 * Another design over the same journal. What the design made before in this scope goes and is derived anew; what other
 * designs made stays where it is, in collections of their own, until somebody drops it.
 */
import { z } from "zod";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { OpenPreset } from "../preset/open.ts";
import type { Preset } from "../preset/preset.ts";
import type { Storage } from "../storage/storage.ts";
import { type Derived, type DeriveOptions, derive, startOver } from "./derive.ts";
import { closeRunning, openRunning, type Running } from "./running.ts";

type Anew = Omit<DeriveOptions, "finish" | "judgedOnly">;

export interface RebuildOptions extends Anew {
  /** The design to go over to. @default the one at work */
  readonly preset?: string | Preset | undefined;
}

const optionsSchema: z.ZodType<RebuildOptions> = z.strictObject({
  preset: z
    .custom<RebuildOptions["preset"]>(
      (value) => typeof value === "string" || (typeof value === "object" && value !== null),
      "must be a design's name, the path of its file, or one that was loaded",
    )
    .optional(),
  goOn: z.custom<Anew["goOn"]>(isFunction, "must be a function").optional(),
  onWindow: z.custom<Anew["onWindow"]>(isFunction, "must be a function").optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

const CAUSE = { actor: "runtime", cause: "rebuild" } as const;

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

export async function rebuild(
  memory: OpenPreset,
  storage: Storage,
  scope: Scope,
  options: Anew = {},
): Promise<Derived> {
  await startOver(memory, storage, scope);
  return derive(memory, storage, scope, { ...options, finish: true });
}

/** What is running afterwards: the same, or the other design, once its memories are made. */
export async function rebuildScope(
  running: Running,
  scope: Scope,
  given: RebuildOptions,
): Promise<{ readonly running: Running; readonly derived: Derived }> {
  const { preset, ...options } = parseInput(optionsSchema, given, "options of rebuild");
  const next = preset === undefined ? running : await openRunning({ ...running.options, preset });
  try {
    const derived = await next.worker.alone(scope, options.signal, (signal) =>
      rebuild(next.design, next.storage, scope, { ...options, signal }),
    );
    // What was said meanwhile was asked of the design before; what `goOn` left is asked of nobody yet.
    if (next !== running || derived.waiting > 0)
      await next.storage.commit(scope, [next.worker.ask(scope)], CAUSE);
    if (next !== running) {
      await closeRunning(running);
      next.worker.kick();
      next.upkeep.kick();
    }
    return { running: next, derived };
  } catch (error) {
    if (next !== running) await closeRunning(next);
    throw error;
  }
}
