/** What became of a memory, step by step: who changed what, when and why, and what it was before. */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { parseEntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Event } from "../storage/event.ts";
import { isLook } from "./past/looks.ts";
import type { Running } from "./running.ts";

export interface HistoryOptions {
  /** Steps after this event. */
  readonly after?: number | undefined;
  /** @default 100 */
  readonly limit?: number | undefined;
  /** Looks change nothing but counters and are left out unless asked for. @default false */
  readonly looks?: boolean | undefined;
}

const optionsSchema = z.strictObject({
  after: z.number().int().min(0).optional(),
  limit: z.number().int().min(1).max(10_000).optional(),
  looks: z.boolean().optional(),
});
const PAGE = 1000;

/** Oldest first. Also of a memory that was removed, unless it was forgotten: then the bare facts are left. */
export async function history(
  { storage, design }: Running,
  scope: Scope,
  id: string,
  options: HistoryOptions = {},
): Promise<readonly Event[]> {
  const { after = 0, limit = 100, looks = false } = parseInput(optionsSchema, options, "options of history");
  const subject = parseEntryId(id);
  const shown: Event[] = [];
  for (let from = after; ; ) {
    const page = await storage.events(scope, { subject, after: from, limit: PAGE });
    const own = page.filter(({ collection }) => collection === design.service.collection);
    if (from === 0 && own.length === 0 && page.length < PAGE) {
      throw new MemoryError(
        "entry_not_found",
        `There is no memory ${id} in sight of the scope "${scope}", and was none. Valid: the id of a hit.`,
      );
    }
    shown.push(...own.filter((event) => looks || !isLook(event)));
    from = page.at(-1)?.seq ?? from;
    if (page.length < PAGE || shown.length >= limit) return shown.slice(0, limit);
  }
}
