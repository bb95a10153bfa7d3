/**
 * When does a service look after itself? After every packet, about what has just come; or on average once in so many
 * turns, about everything. Which turns, their ids decide: nothing has to be counted and kept, a restart changes nothing,
 * and a scope that speaks little gets its turn like every other.
 */
import { hash } from "node:crypto";
import { z } from "zod";
import { MemoryError } from "../../../base/errors.ts";
import type { Turn } from "../../../base/turn.ts";

const schedule = {
  every_turns: z
    .int()
    .min(1)
    .describe(
      "1: after every packet, about the entries just inserted; more: once in so many turns on average, about everything.",
    ),
};

/** What every scheduled action reads; the rest is the trigger's own. */
export const scheduleSchema = z.looseObject(schedule);

type Schema = z.ZodObject | z.ZodDiscriminatedUnion;

/** The options of a trigger, each of its forms with the schedule beside them. */
export function scheduled(options: unknown): Schema {
  if (options instanceof z.ZodObject) return options.safeExtend(schedule);
  if (options instanceof z.ZodDiscriminatedUnion) {
    const [first, ...others] = options.options.map(scheduled);
    if (first !== undefined) return z.discriminatedUnion(options.def.discriminator, [first, ...others]);
  }
  throw new MemoryError("invariant", "The options of a trigger are neither an object nor forms of one.");
}

export function isDue(turns: readonly Turn[], everyTurns: number): boolean {
  return everyTurns === 1 || turns.some(({ id }) => numberOf(id) % everyTurns === 0);
}

function numberOf(id: string): number {
  return Number.parseInt(hash("sha256", id).slice(0, 8), 16);
}
