/**
 * The blocks that are always in view. Each is an entry of its own; an edit is a new one that supersedes it, so that every
 * version can be read. A block that was emptied is archived.
 */

import { MemoryError } from "../../../../base/errors.ts";
import { where } from "../../../../base/filter.ts";
import type { Hit } from "../../../../base/hit.ts";
import { validNames } from "../../../../base/nearest-name.ts";
import { appended, type BlockRule, lengthOf, replaced } from "../../../../policies/core-block.ts";
import { CORE_BLOCK } from "../../../memory-pages.ts";
import type { TriggerContext } from "../../trigger.ts";
import type { Made, Packet } from "./made.ts";
import type { PressureOptions } from "./options.ts";

export interface CoreMemory {
  /** "" where nothing was written yet. */
  read(label: string): Promise<string>;
  append(label: string, content: string): Promise<void>;
  replace(label: string, old: string, by: string): Promise<void>;
  /** In place of what it holds, whatever that is. */
  write(label: string, content: string): Promise<void>;
  /** All blocks as a model is shown them. */
  print(): Promise<string>;
}

type Context = Pick<TriggerContext, "scope" | "store" | "insert" | "retrieve">;

export function createCoreMemory(
  context: Context,
  { blocks, tiers }: Pick<PressureOptions, "blocks" | "tiers">,
  packet: Packet,
  made: Made,
): CoreMemory {
  const find = (label: string): Promise<Hit | undefined> => findBlock(context, tiers.core, label);
  const textOf = async (rule: BlockRule): Promise<string> =>
    (await find(rule.label))?.content ?? rule.initial ?? "";
  const write = async (rule: BlockRule, content: string): Promise<void> => {
    const before = await find(rule.label);
    if (before?.content === content) return;
    if (before !== undefined) made.retired.push(before.id);
    if (content === "") {
      if (before !== undefined) await context.store.archiveMany(context.scope, [before.id], BY);
      return;
    }
    const id = await context.insert({
      kind: CORE_BLOCK,
      content,
      metadata: { label: rule.label, limit: rule.limit },
      happenedAt: packet.happenedAt,
      sources: [...(before === undefined ? [] : [before.id]), ...packet.sources],
      supersedes: before === undefined ? [] : [before.id],
      pinned: true,
      insertMode: "active",
      insertParams: { targetTier: tiers.core },
    });
    made.added.push(id);
  };
  return {
    read: (label) => textOf(ruleOf(blocks, label)),
    async append(label, content) {
      const rule = ruleOf(blocks, label);
      await write(rule, appended(rule, await textOf(rule), content));
    },
    async replace(label, old, by) {
      const rule = ruleOf(blocks, label);
      await write(rule, replaced(rule, await textOf(rule), old, by));
    },
    write: (label, content) => write(ruleOf(blocks, label), content),
    async print() {
      const shown: string[] = [];
      for (const rule of blocks) {
        const text = await textOf(rule);
        shown.push(`${rule.label} (${lengthOf(text)}/${rule.limit}):\n${text}`);
      }
      return shown.join("\n\n");
    },
  };
}

const BY = { cause: "migrate: core memory" };

function ruleOf(blocks: readonly BlockRule[], label: string): BlockRule {
  const rule = blocks.find((one) => one.label === label);
  if (rule !== undefined) return rule;
  const labels = blocks.map((one) => one.label);
  throw new MemoryError("unknown_name", `There is no block "${label}". ${validNames(label, labels)}`);
}

async function findBlock({ retrieve }: Context, tier: string, label: string): Promise<Hit | undefined> {
  const [block] = await retrieve({
    filter: where.and(where.eq("kind", CORE_BLOCK), where.eq("metadata.label", label)),
    topK: 1,
    own: true,
    hints: { strategy: "structured", tiers: [tier] },
  });
  return block;
}
