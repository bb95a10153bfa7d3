/** What each kind of waiting item asks for (S0-23), and how it is done; `config` is the preset's, for this kind. */
import { z } from "zod";
import { where } from "../../../base/filter.ts";
import { isEntryId } from "../../../base/ids.ts";
import { type JsonObject, jsonObjectSchema } from "../../../base/json.ts";
import { parseInput } from "../../../base/parse-input.ts";
import type { PostInsertContext } from "../../../pipeline/action.ts";
import type { PendingItem } from "../../../services/service.ts";
import { CONTENT } from "../../../services/vector-fields.ts";
import { decideAndCarryOut } from "../round/crud.ts";

const moveSchema = z.looseObject({ target_tier: z.string() });
const similarSchema = z.looseObject({ pending_similar: z.array(z.string()) });

/** Where it goes, the item says; what becomes of it on the way, the preset. Its id stays (B.0.9, 20). */
export async function migrateItem(
  item: PendingItem,
  { store }: PostInsertContext,
  transforms: JsonObject,
): Promise<void> {
  const { target_tier } = parseInput(moveSchema, item.details, "item to migrate");
  const config = { ...transforms, migrate_policy: "manual", ids: [item.entry], filter: null, target_tier };
  await store.optimize({ trigger: "migrate", config });
}

/** What has no room goes first, and with it what the preset finds too weak. */
export async function forgetItem({ store }: PostInsertContext, config: unknown): Promise<void> {
  await store.optimize({ trigger: "forgetting", config: asConfig(config) });
}

export async function linkItem(
  { entry }: PendingItem,
  { store }: PostInsertContext,
  config: unknown,
): Promise<void> {
  await store.optimize({ trigger: "link_evolution", config: asConfig(config), entries: [entry] });
}

/** The round of an entry that came some time ago: it and those it may clash with are read by their ids. */
export async function crudItem(item: PendingItem, context: PostInsertContext, prompt: string): Promise<void> {
  const { pending_similar } = parseInput(similarSchema, item.details, "item to decide on");
  const cycle = context.store.cycle(item.entry);
  const wanted = [item.entry, ...pending_similar.filter(isEntryId)];
  const found = await cycle.retrieve({
    filter: where.in("id", wanted),
    topK: wanted.length,
    hints: { strategy: "structured" },
  });
  const entry = found.find(({ id }) => id === item.entry);
  // It may have gone since, or what it clashed with may have.
  if (entry === undefined) return;
  const near = wanted
    .slice(1)
    .flatMap((id) => found.filter((hit) => hit.id === id && hit.scope === context.scope));
  const { kind, content, rationale, tags, metadata, happenedAt, sources, importance, pinned, strength } =
    entry;
  const fresh = {
    kind,
    content,
    rationale,
    tags,
    metadata,
    happenedAt,
    sources,
    importance,
    pinned,
    strength,
  };
  await decideAndCarryOut({ id: item.entry, fresh, fields: [CONTENT], near, cycle }, context, prompt);
}

function asConfig(config: unknown): JsonObject {
  return parseInput(jsonObjectSchema, config, "options");
}
