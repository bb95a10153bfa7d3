/** Which events change nothing but the counters of who looked? Services name the reason of every touch. */
import type { Event } from "../../storage/event.ts";

/** A recall counts what it found; a look from another scope at something public is told without a name. */
export function isLook({ operation, actor, cause }: Event): boolean {
  return operation === "entry-touch" && (actor === "" || cause.endsWith(": retrieve"));
}

/** Somebody said that a memory was useful or not. */
export function isJudgement({ operation, cause }: Event): boolean {
  return operation === "entry-touch" && cause.endsWith(": feedback");
}
