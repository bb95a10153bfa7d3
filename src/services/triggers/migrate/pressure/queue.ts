/**
 * The messages in view, and how they leave it: summed up in one entry at the queue's head that goes on from the one before
 * and says how many messages it stands for. What leaves the queue stays in recall.
 */
import type { Entry } from "../../../../base/entry.ts";
import type { EntryId } from "../../../../base/ids.ts";
import type { JsonObject } from "../../../../base/json.ts";
import { planFlush, type Queued } from "../../../../policies/queue-flush.ts";
import { languageOf } from "../../../../tasks/task-language.ts";
import { estimateTokens } from "../../../../text/token-count.ts";
import { CORE_BLOCK, PASSAGE, QUEUE_SUMMARY } from "../../../memory-pages.ts";
import { insertDerived } from "../../derived.ts";
import type { TriggerContext } from "../../trigger.ts";
import { inShort } from "./in-short.ts";
import type { Made } from "./made.ts";
import type { PressureOptions } from "./options.ts";

export interface MessageQueue {
  /** Of what left before; undefined: nothing has. */
  readonly summary: Entry | undefined;
  /** Oldest first. */
  readonly messages: readonly Entry[];
  readonly tokens: number;
}

/** More than any queue holds. */
const ALL = 1_000_000;

export async function readQueue(
  { retrieve }: Pick<TriggerContext, "retrieve">,
  tier: string,
): Promise<MessageQueue> {
  const found = await retrieve({ topK: ALL, own: true, hints: { strategy: "recent", tiers: [tier] } });
  const inView = found.filter((one) => one.tier === tier && !BESIDE.includes(one.kind)).reverse();
  return {
    summary: inView.findLast(isSummary),
    messages: inView.filter((one) => !isSummary(one)),
    tokens: inView.reduce((sum, { content }) => sum + estimateTokens(content), 0),
  };
}

const BESIDE: readonly string[] = [CORE_BLOCK, PASSAGE];

/** A summary of the queue, and none that something else wrote. */
function isSummary({ kind, metadata }: Entry): boolean {
  return kind === QUEUE_SUMMARY && typeof metadata.hidden === "number";
}

/** Warned already since the last flush: the newest message then says so, with the summary that was there. */
export function isWarned({ messages, summary }: MessageQueue): boolean {
  return messages.some(({ metadata }) => metadata[WARNED] === (summary?.id ?? ""));
}

export async function markWarned(
  context: TriggerContext,
  { messages, summary }: MessageQueue,
): Promise<void> {
  const newest = messages.at(-1);
  if (newest === undefined) return;
  const metadata = { ...newest.metadata, [WARNED]: summary?.id ?? "" };
  await context.store.update(context.scope, newest.id, { metadata }, { cause: "migrate: warning" });
}

const WARNED = "pressure_warned";

/** How many messages left; 0: none could. The model is asked before anything is changed. */
export async function flush(
  context: TriggerContext,
  { summary, messages }: MessageQueue,
  options: PressureOptions,
  made: Made,
): Promise<number> {
  const { window_tokens, compaction, tiers } = options;
  const buffer = [...(summary === undefined ? [] : [asQueued(summary)]), ...messages.map(asQueued)];
  const cut = planFlush(buffer, window_tokens, compaction) - (summary === undefined ? 0 : 1);
  // A summary alone needs no other summary.
  const leaving = messages.slice(0, Math.max(0, cut));
  if (leaving.length === 0) return 0;
  const before = known(summary);
  const text = await inShort(context, leaving, before.text, options);
  const hidden = before.hidden + leaving.length;
  const total = before.hidden + messages.length;
  const draft = {
    kind: QUEUE_SUMMARY,
    content: headed(text, hidden, total),
    metadata: { hidden, total, summary: text },
    happenedAt: Math.max(...leaving.map(({ happenedAt }) => happenedAt)),
    sources: [...(summary === undefined ? [] : [summary.id]), ...leaving.map(({ id }) => id)],
    supersedes: summary === undefined ? [] : [summary.id],
    insertMode: "active",
    insertParams: { targetTier: tiers.queue },
  } as const;
  const ids: EntryId[] = await insertDerived(context, [draft]);
  made.added.push(...ids);
  if (summary !== undefined) made.retired.push(summary.id);
  for (const { id } of leaving) {
    await context.move(id, tiers.recall);
    made.moved.push({ id, from: tiers.queue, to: tiers.recall });
  }
  return leaving.length;
}

/** A summary counts as something the user said, as in the original, where it is an alert in the user's name. */
function asQueued({ content, metadata }: Entry): Queued {
  return {
    tokens: estimateTokens(content),
    role: typeof metadata.role === "string" ? metadata.role : "user",
  };
}

function known(summary: Entry | undefined): { readonly text: string; readonly hidden: number } {
  const { summary: text, hidden }: JsonObject = summary?.metadata ?? {};
  return {
    text: typeof text === "string" ? text : "",
    hidden: typeof hidden === "number" ? hidden : 0,
  };
}

function headed(text: string, hidden: number, total: number): string {
  return languageOf(text) === "zh"
    ? `（${total} 条消息中有 ${hidden} 条已移出视野，概括如下）${text}`
    : `(${hidden} of ${total} messages are out of view; in short:) ${text}`;
}
