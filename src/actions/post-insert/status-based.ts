/**
 * Settles what the service left undecided (S0-20, C-19): reads its queue, oldest first, does what each item asks for, and
 * then acknowledges exactly that item. What it has no handler for, and what fails, stays in the queue for another time;
 * nothing is overwritten by what comes after it (B.0.9, 21).
 */
import { z } from "zod";
import { type Claims, defineAction, type PostInsertContext } from "../../pipeline/action.ts";
import {
  PENDING_ACTIONS,
  type PendingAction,
  type PendingItem,
  type Trigger,
} from "../../services/service.ts";
import { forgetting } from "../../services/triggers/forgetting.ts";
import { linkEvolution } from "../../services/triggers/link-evolution.ts";
import { transformOptions } from "../../services/triggers/migrate/migration.ts";
import { decideCrud } from "../../tasks/decide-crud.ts";
import { summarize } from "../../tasks/summarize.ts";
import { linkClaims } from "./delegate/link-claims.ts";
import { crudItem, forgetItem, linkItem, migrateItem } from "./status/handlers.ts";

const options = z.strictObject({
  max_items: z.int().min(1).describe("At most so many items are settled after one packet."),
  migrate: z
    .strictObject(transformOptions)
    .nullable()
    .describe("What is made of entries on their way to the tier that the item names; null: left waiting."),
  forget: forgetting.options
    .nullable()
    .describe(
      "Options of the sweep that forgets what no longer fits, and what is too weak; null: left waiting.",
    ),
  crud: z
    .strictObject({ prompt: z.string().min(1).describe("Id of the prompt that asks for the decision.") })
    .nullable()
    .describe("How it is decided whether a new entry replaces those the item names; null: left waiting."),
  link: linkEvolution.options
    .nullable()
    .describe("Options of the link evolution for the item's entry; null: left waiting."),
  synonym: linkEvolution.options
    .nullable()
    .describe("Options of the link evolution for the item's names; null: left waiting."),
});
type Options = z.infer<typeof options>;

const TRIGGER_OF: Readonly<Record<PendingAction, Trigger | undefined>> = {
  migrate: "migrate",
  forget: "forgetting",
  crud: undefined,
  link: "link_evolution",
  synonym: "link_evolution",
};

export const statusBased = defineAction({
  stage: "post_insert",
  name: "status_based",
  summary: "Settles what the service left undecided: moves, forgets, decides on clashes, links.",
  options,
  claims(given) {
    const handled = PENDING_ACTIONS.filter((action) => given[action] !== null);
    const links = [given.link, given.synonym].flatMap((link) => (link === null ? [] : [linkClaims(link)]));
    const needs: Claims = {
      pending: handled,
      triggers: [...new Set(handled.flatMap((action) => TRIGGER_OF[action] ?? []))],
      tiers: given.forget?.tiers ?? [],
      prompts: promptsOf(given),
      abilities: [...new Set(links.flatMap(({ abilities = [] }) => abilities))],
      embedder: links.some(({ embedder }) => embedder === true),
    };
    if (given.crud === null) return needs;
    return { ...needs, cycle: true, hints: [{ strategy: "structured", names: [] }] };
  },
  async run(_given, context, given) {
    const seen = new Set<string>();
    const settled: Record<string, number> = {};
    while (seen.size < given.max_items) {
      // Read anew each time: settling one may settle others, or bring new ones.
      const { pendingItems } = await context.store.status();
      const item = pendingItems.find(({ id, action }) => !seen.has(id) && given[action] !== null);
      if (item === undefined) break;
      seen.add(item.id);
      await handle(item, context, given);
      await acknowledge(item, context);
      settled[item.action] = (settled[item.action] ?? 0) + 1;
    }
    context.note("settled", settled);
    context.note("waiting", (await context.store.status()).count);
    return undefined;
  },
});

function promptsOf({ migrate, crud, link, synonym }: Options): NonNullable<Claims["prompts"]> {
  return [
    ...(migrate === null ? [] : [{ task: summarize, prompt: migrate.summarize_prompt }]),
    ...(crud === null ? [] : [{ task: decideCrud, prompt: crud.prompt }]),
    ...(link === null ? [] : (linkEvolution.prompts?.(link) ?? [])),
    ...(synonym === null ? [] : (linkEvolution.prompts?.(synonym) ?? [])),
  ];
}

async function handle(item: PendingItem, context: PostInsertContext, given: Options): Promise<void> {
  const { migrate, forget, crud, link, synonym } = given;
  if (item.action === "migrate" && migrate !== null) await migrateItem(item, context, migrate);
  if (item.action === "forget" && forget !== null) await forgetItem(context, forget);
  if (item.action === "crud" && crud !== null) await crudItem(item, context, crud.prompt);
  if (item.action === "link" && link !== null) await linkItem(item, context, link);
  if (item.action === "synonym" && synonym !== null) await linkItem(item, context, synonym);
}

/** A trigger settles by itself what it has done. */
async function acknowledge({ id }: PendingItem, { store }: PostInsertContext): Promise<void> {
  const { pendingItems } = await store.status();
  if (pendingItems.some((one) => one.id === id)) await store.acknowledge(id);
}
