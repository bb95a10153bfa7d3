/** What has changed in a scope since somebody last looked: its own events, in their order, for whoever follows a memory live. */
import { z } from "zod";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Event } from "../storage/event.ts";
import { isLook } from "./past/looks.ts";
import type { Running } from "./running.ts";

export interface ChangesOptions {
  /** What the answer before gave as `next`. @default from the beginning */
  readonly after?: number | undefined;
  /** 1 to 1000. @default 100 */
  readonly limit?: number | undefined;
}

export interface Changes {
  /** Oldest first. Looks, which change nothing but counters, are left out. */
  readonly events: readonly Event[];
  /** Hand it in as `after` for what comes next; it is there when nothing has come, too. */
  readonly next: number;
}

const optionsSchema = z.strictObject({
  after: z.int().min(0).optional(),
  limit: z.int().min(1).max(1000).optional(),
});
/** Most that are read at once. */
const MOST_AT_ONCE = 1000;

export async function changes(
  { storage, design }: Running,
  scope: Scope,
  options: ChangesOptions = {},
): Promise<Changes> {
  const { after = 0, limit = 100 } = parseInput(optionsSchema, options, "options of changes");
  const { collection } = design.service;
  const events: Event[] = [];
  let next = after;
  // As many as are asked for; more and more where looks stand between them, of which there may be any number.
  for (let size = limit; ; size = Math.min(MOST_AT_ONCE, 2 * size)) {
    const page = await storage.events(scope, { after: next, limit: size });
    for (const event of page) {
      next = event.seq;
      if (event.scope !== scope || event.collection !== collection || isLook(event)) continue;
      events.push(event);
      if (events.length === limit) return { events, next };
    }
    if (page.length < size) return { events, next };
  }
}
