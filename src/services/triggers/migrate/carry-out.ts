/** Moves what was planned, each entry as the service itself moves it, and writes the summaries that were asked for. */

import type { z } from "zod";
import type { EntryId } from "../../../base/ids.ts";
import type { ServiceInsert } from "../../service.ts";
import { insertDerived, SUMMARY, summaryOf } from "../derived.ts";
import type { TriggerContext } from "../trigger.ts";
import type { PlannedMove, transformOptions } from "./migration.ts";
import { withMovedAt } from "./moved-at.ts";

type Transforms = {
  readonly [Key in keyof typeof transformOptions]: z.infer<(typeof transformOptions)[Key]>;
};

export interface CarriedOut {
  readonly moved: readonly PlannedMove[];
  /** What moves together, from one tier to another, has one. */
  readonly summaries: readonly EntryId[];
}

export async function carryOut(
  context: TriggerContext,
  moves: readonly PlannedMove[],
  transforms: Transforms,
): Promise<CarriedOut> {
  const now = context.deps.clock.now();
  const drafts: ServiceInsert[] = [];
  for (const group of Map.groupBy(moves, ({ from, to }) => `${from}\n${to}`).values()) {
    const draft = await summaryFor(context, group, transforms);
    if (draft !== undefined) drafts.push(draft);
  }
  const moved: PlannedMove[] = [];
  for (const move of moves) if (await carry(context, move, now)) moved.push(move);
  return { moved, summaries: await insertDerived(context, drafts) };
}

/** False if it is no longer where the plan found it: a move before may have pushed it on. */
async function carry(
  { scope, store, move }: TriggerContext,
  { id, from, to }: PlannedMove,
  now: number,
): Promise<boolean> {
  const entry = await store.get(scope, id);
  if (entry?.tier !== from) return false;
  await move(id, to);
  await store.update(scope, id, { metadata: withMovedAt(entry, now) }, { cause: "migrate" });
  return true;
}

async function summaryFor(
  context: TriggerContext,
  group: readonly PlannedMove[],
  transforms: Transforms,
): Promise<ServiceInsert | undefined> {
  const [first] = group;
  if (first === undefined || transformOf(context, first, transforms) === "none") return undefined;
  const entries = await context.store.getMany(
    context.scope,
    group.map(({ id }) => id),
  );
  const originals = entries.filter((entry) => entry !== undefined).filter(({ kind }) => kind !== SUMMARY);
  if (originals.length === 0) return undefined;
  const texts = originals.map(({ content }) => content);
  const { summary_max_words: maxWords, summary_batch: atOnce, summarize_prompt: prompt } = transforms;
  return {
    kind: SUMMARY,
    content: await summaryOf(context, { texts, maxWords, atOnce, prompt }),
    sources: originals.map(({ id }) => id),
    metadata: { from_tier: first.from },
    insertMode: "active",
    insertParams: { targetTier: first.to },
  };
}

function transformOf(
  { traits }: TriggerContext,
  { from, to }: PlannedMove,
  transforms: Transforms,
): "none" | "summarize" {
  const isUpward = traits.tiers.indexOf(to) < traits.tiers.indexOf(from);
  return isUpward ? transforms.upgrade_transform : transforms.downgrade_transform;
}
