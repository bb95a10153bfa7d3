/**
 * Summing up (S0-35; MemoryBank, MemGPT, SCM): one summary of what is new, summaries of days, weeks and everything, or one
 * running summary. A summary is an entry that cites what it was made from, in the language of that; originals stay
 * unless the config lets the summary take their place, and even then they can be read (C-11). The whole scope is looked at,
 * whatever was just inserted; the scope's own entries alone are summed up.
 */
import { z } from "zod";
import { type EntryId, isEntryId } from "../../base/ids.ts";
import { mergePortraits } from "../../tasks/merge-portraits.ts";
import { summarize as summarizeTask } from "../../tasks/summarize.ts";
import { summarizeDay } from "../../tasks/summarize-day.ts";
import type { ServiceInsert } from "../service.ts";
import { insertDerived } from "./derived.ts";
import { allVitals, ownOfKind } from "./own-entries.ts";
import { assignClusters, CLUSTERS, clustersShape } from "./summarize/clusters.ts";
import { assignWindow, hierarchicalShape, isStillOpen, levelsOf } from "./summarize/hierarchical.ts";
import { assignIncremental, INCREMENTAL } from "./summarize/incremental.ts";
import { assignSingle, SINGLE } from "./summarize/single.ts";
import {
  type Assignment,
  citedBy,
  type Holdings,
  readHoldings,
  type Writing,
  writtenFor,
} from "./summarize/strategy.ts";
import { defineTrigger, report, type TriggerContext } from "./trigger.ts";

const shared = {
  summarize_prompt: z.string().min(1).describe("Id of the prompt that asks for a summary."),
  max_words: z.int().min(1).describe("Most words of a summary."),
  batch_size: z
    .int()
    .min(1)
    .describe(
      "Most texts shown to the model at once; more are taken up step by step, each going on from the last.",
    ),
  replace_originals: z
    .boolean()
    .describe(
      "Whether the summary takes the place of what it sums up in recall; it can still be read by id.",
    ),
  importance: z.number().min(0).max(1).describe("Importance of a summary, 0 to 1 (7 of 10 is 0.7)."),
  kind: z.string().min(1).describe("The kind that summaries have; entries of this kind are not summed up."),
};

const modes = [
  z.strictObject({
    ...shared,
    trigger_mode: z.literal("overflow").describe("When enough has come that no summary has taken up."),
    min_count: z.int().min(1).describe("How many entries that no summary has taken up are enough."),
  }),
  z.strictObject({
    ...shared,
    trigger_mode: z.literal("periodic").describe("When the last summary is old enough."),
    interval_minutes: z.number().positive().describe("Minutes after which there may be another summary."),
  }),
  z.strictObject({ ...shared, trigger_mode: z.literal("manual").describe("Whenever it is asked for.") }),
] as const;

const single = {
  strategy: z.literal(SINGLE).describe("One summary of what none has taken up yet."),
  group_by: z
    .string()
    .min(1)
    .nullable()
    .describe("Metadata field whose values get a summary each, as session or speaker; null: one for all."),
};

const incremental = {
  strategy: z
    .literal(INCREMENTAL)
    .describe("One running summary, which each further one goes on from and replaces."),
};

const options = z.discriminatedUnion("strategy", [
  z.discriminatedUnion("trigger_mode", [
    modes[0].extend(single),
    modes[1].extend(single),
    modes[2].extend(single),
  ]),
  z.discriminatedUnion("trigger_mode", [
    modes[0].extend(hierarchicalShape),
    modes[1].extend(hierarchicalShape),
    modes[2].extend(hierarchicalShape),
  ]),
  z.discriminatedUnion("trigger_mode", [
    modes[0].extend(incremental),
    modes[1].extend(incremental),
    modes[2].extend(incremental),
  ]),
  z.discriminatedUnion("trigger_mode", [
    modes[0].extend(clustersShape),
    modes[1].extend(clustersShape),
    modes[2].extend(clustersShape),
  ]),
]);

/** Of a summing up by clusters whenever it is asked for: groups come about, or do not. */
export const consolidateOptions = modes[2].extend(clustersShape).omit({ strategy: true, trigger_mode: true });

type Options = z.infer<typeof options>;

export const summarize = defineTrigger({
  name: "summarize",
  summary:
    "Writes summaries that cite what they sum up: of what is new, of days and weeks, or one that goes on.",
  options,
  prompts: (given) => [
    { task: summarizeTask, prompt: given.summarize_prompt },
    ...(given.strategy === "hierarchical"
      ? [
          { task: summarizeDay, prompt: given.portrait_prompt },
          { task: mergePortraits, prompt: given.merge_prompt },
        ]
      : []),
  ],
  async run(context, given, entries) {
    const { max_words: maxWords, batch_size: atOnce, summarize_prompt: prompt } = given;
    const writing = { context, maxWords, atOnce, prompt };
    const added: EntryId[] = [];
    const retired: EntryId[] = [];
    if (given.strategy === "hierarchical" && (await isStillOpen(context, given, entries)))
      return report("summarize", { examined: entries?.length ?? 0, reason: STILL_OPEN });
    const early = await tooEarly(context, given);
    if (early !== undefined) return report("summarize", { examined: early.examined, reason: NOT_YET });
    let holdings = await readHoldings(context, given.kind);
    const examined = holdings.originals.length;
    const since = lastMoment(holdings, given);
    for (const [level, assign] of stepsOf(given).entries()) {
      if (level > 0) holdings = await readHoldings(context, given.kind);
      const assignments = await assign(holdings, writing);
      // What is made of summaries follows them; only the first step waits until there is enough.
      const isDue =
        given.trigger_mode === "overflow" && level > 0 ? true : checkDue(given, assignments, since, context);
      if (!isDue) return report("summarize", { examined, added, retired, reason: NOT_YET });
      for (const draft of await draftAll(assignments, given)) {
        added.push(...(await insertDerived(context, [draft])));
        retired.push(...(draft.supersedes ?? []));
      }
    }
    const reason = added.length === 0 ? "There is nothing that no summary has taken up." : undefined;
    return report("summarize", { examined, added, retired, ...(reason === undefined ? {} : { reason }) });
  },
});

const STILL_OPEN = "What came belongs to the day that is still told of.";
const NOT_YET = "It is not time for a summary yet.";

/** Whether it is too early is mostly plain without reading any text: from the summaries there are, and from vitals. */
async function tooEarly(
  context: TriggerContext,
  given: Options,
): Promise<{ readonly examined: number } | undefined> {
  if (given.trigger_mode === "manual") return undefined;
  const summaries = await ownOfKind(context, given.kind);
  const vitals = (await allVitals(context)).filter(({ kind }) => kind !== given.kind);
  const examined = vitals.length;
  const written = writtenFor({ summaries }, given.strategy);
  if (given.trigger_mode === "periodic") {
    const since = written.at(-1)?.createdAt ?? vitals[0]?.createdAt ?? 0;
    return isOver(since, given.interval_minutes, context) ? undefined : { examined };
  }
  const cited = citedBy(summaries.filter(({ metadata }) => metadata.strategy === given.strategy));
  const fresh = vitals.filter(({ id }) => !cited.has(id));
  // Nothing new at all is told otherwise; and where something that was summed up has gone, a summary may have to be remade.
  const known = new Set<string>([...vitals, ...summaries].map(({ id }) => id));
  const isWhole = [...cited].filter(isEntryId).every((id) => known.has(id));
  return isWhole && fresh.length > 0 && fresh.length < given.min_count ? { examined } : undefined;
}

function isOver(since: number, minutes: number, { deps }: TriggerContext): boolean {
  return deps.clock.now() - since >= minutes * 60_000;
}

type Step = (holdings: Holdings, writing: Writing) => Promise<Assignment[]> | Assignment[];

function stepsOf(given: Options): Step[] {
  switch (given.strategy) {
    case SINGLE:
      return [(holdings, writing) => assignSingle(holdings, writing, given.group_by)];
    case INCREMENTAL:
      return [assignIncremental];
    case CLUSTERS:
      return [(holdings, writing) => assignClusters(holdings, writing, given)];
    case "hierarchical":
      return levelsOf(given).map(
        (window) => (holdings, writing) => assignWindow(holdings, writing, window, given),
      );
  }
}

/** When the last summary of this strategy was written, or the first thing to be summed up. */
function lastMoment(holdings: Holdings, { strategy }: Options): number {
  const last = writtenFor(holdings, strategy).at(-1) ?? holdings.originals[0];
  return last?.createdAt ?? 0;
}

function checkDue(
  given: Options,
  assignments: readonly Assignment[],
  since: number,
  context: TriggerContext,
): boolean {
  switch (given.trigger_mode) {
    case "manual":
      return true;
    case "periodic":
      return isOver(since, given.interval_minutes, context);
    case "overflow": {
      const fresh = assignments.reduce((sum, one) => sum + one.fresh, 0);
      return assignments.length === 0 || fresh >= given.min_count;
    }
  }
}

/** All are written before any is stored: a model that fails leaves nothing half-done. */
async function draftAll(assignments: readonly Assignment[], given: Options): Promise<ServiceInsert[]> {
  const drafts: ServiceInsert[] = [];
  for (const { cites, sources, replaces, metadata, tier, write } of assignments) {
    const { content, metadata: more } = await write();
    const originals = sources.filter(
      ({ kind, supersededBy }) => kind !== given.kind && supersededBy === null,
    );
    drafts.push({
      kind: given.kind,
      content,
      sources: cites,
      importance: given.importance,
      happenedAt: sources.reduce(
        (latest, { happenedAt }) => Math.max(latest, happenedAt),
        Number.NEGATIVE_INFINITY,
      ),
      metadata: { ...metadata, ...more },
      supersedes: [...replaces, ...(given.replace_originals ? originals.map(({ id }) => id) : [])],
      ...placementOf(tier ?? (given.strategy === CLUSTERS ? given.target_tier : null)),
    });
  }
  return drafts;
}

function placementOf(targetTier: string | null): Pick<ServiceInsert, "insertMode" | "insertParams"> {
  return targetTier === null ? {} : { insertMode: "active", insertParams: { targetTier } };
}
