/** By hand: the entries that are named, or that a filter finds, or that were just inserted, to the tier that is named. */
import { z } from "zod";
import type { Entry } from "../../../base/entry.ts";
import { ARCHIVED } from "../../../base/entry.ts";
import { MemoryError } from "../../../base/errors.ts";
import { parseFilter } from "../../../base/filter.ts";
import { type EntryId, parseEntryId } from "../../../base/ids.ts";
import { jsonObjectSchema } from "../../../base/json.ts";
import { validNames } from "../../../base/nearest-name.ts";
import { ownEntries } from "../own-entries.ts";
import type { TriggerContext } from "../trigger.ts";
import { type Migration, transformOptions } from "./migration.ts";

export const manualOptions = z.strictObject({
  migrate_policy: z.literal("manual").describe("The entries that are named."),
  ids: z
    .array(z.string())
    .nullable()
    .describe("The entries to move; null: those the filter finds, or without one those just inserted."),
  filter: jsonObjectSchema.nullable().describe("A filter that finds the entries to move; null: none."),
  target_tier: z.string().min(1).describe("The tier they go to."),
  ...transformOptions,
});

type Options = z.infer<typeof manualOptions>;

export const manual: Migration<Options> = {
  async plan(context, options, inserted) {
    const { target_tier: to } = options;
    const { tiers } = context.traits;
    if (!tiers.includes(to)) {
      throw new MemoryError(
        "option_invalid",
        `There is no tier "${to}" to move to. ${validNames(to, tiers)}`,
      );
    }
    const found = await find(context, options, inserted);
    const moves = found.flatMap(({ id, tier: from }) =>
      from === null || from === to || !tiers.includes(from) ? [] : [{ id, from, to }],
    );
    return { examined: found.length, moves };
  },
};

async function find(
  context: TriggerContext,
  { ids, filter }: Options,
  inserted: readonly EntryId[] | undefined,
): Promise<readonly Entry[]> {
  if (ids !== null && filter !== null) {
    throw new MemoryError(
      "option_invalid",
      `Entries are named both by "ids" and by "filter". Valid: one of them.`,
    );
  }
  if (filter !== null) return ownEntries(context, parseFilter(filter));
  const wanted = ids?.map(parseEntryId) ?? inserted;
  if (wanted === undefined) {
    throw new MemoryError("option_invalid", `No entries are named. Valid: "ids" or "filter".`);
  }
  const entries = await context.store.getMany(context.scope, wanted);
  return entries.filter((entry) => entry !== undefined).filter((entry) => isOwn(entry, context));
}

function isOwn(entry: Entry, { scope }: TriggerContext): boolean {
  return entry.scope === scope && entry.supersededBy === null && entry.tier !== ARCHIVED;
}
