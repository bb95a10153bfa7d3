/**
 * Does the talk go on with the last segment? SeCom's update (Pan et al., ICLR 2025): the first new segment of a packet is
 * held against the newest one before it. If it goes on with it, one segment of both takes their place; else it stays a unit
 * of its own. With packets of one exchange this segments a conversation while it is going on.
 */
import { z } from "zod";
import { where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import { defineAction, type Inserted, type PostInsertContext } from "../../pipeline/action.ts";
import type { ServiceInsert } from "../../services/service.ts";
import { judgeContinuity } from "../../tasks/judge-continuity.ts";
import { estimateTokens } from "../../text/token-count.ts";
import { denoiseText } from "../pre-insert/transform/denoise-text.ts";
import { denoiseRatio } from "../pre-insert/transform/segment-denoise.ts";
import { fieldsOf, mergedEntry } from "./round/merge.ts";
import { storedKind } from "./stored-kind.ts";

const options = z.strictObject({
  continuity_prompt: z.string().min(1).describe("Id of the prompt that asks whether the talk goes on."),
  across_sessions: z
    .boolean()
    .describe("Whether a segment may go on with one of another session; if not, nobody is asked."),
  max_segment_size: z
    .int()
    .min(1)
    .describe("Most tokens of a segment: one that would be larger is not joined."),
  ratio: denoiseRatio,
});
type Options = z.infer<typeof options>;

export const continueSegment = defineAction({
  stage: "post_insert",
  name: "continue_segment",
  summary: "Puts a new segment into the last one where the talk goes on with it (SeCom).",
  options,
  claims: ({ continuity_prompt }) => ({
    abilities: ["vector"],
    cycle: true,
    hints: [{ strategy: "structured", names: [] }],
    embedder: true,
    prompts: [{ task: judgeContinuity, prompt: continuity_prompt }],
  }),
  async run({ inserted }, context, given) {
    const { ratio } = given;
    const [first] = inserted.filter(({ draft }) => draft.judged !== true);
    if (first === undefined) return undefined;
    const last = await lastBefore(first, inserted, context);
    const why = last === undefined ? "no segment before" : await refusal(last, first.entry, context, given);
    context.note("continues", last !== undefined && why === null);
    if (why !== null) context.note("because", why);
    if (last === undefined || why !== null) return undefined;
    const whole = await joined(last, first.entry, context, ratio);
    const cycle = context.store.cycle(first.id);
    await cycle.delete([last.id, first.id]);
    await cycle.insert([whole]);
    return undefined;
  },
});

async function lastBefore(
  { id, entry }: Inserted,
  inserted: readonly Inserted[],
  { store, now }: PostInsertContext,
): Promise<Hit | undefined> {
  const fresh = where.in(
    "id",
    inserted.map((one) => one.id),
  );
  const before = where.range("happenedAt", { lte: entry.happenedAt ?? now });
  const [last] = await store.cycle(id).retrieve({
    filter: where.and(where.not(fresh), before, where.eq("kind", storedKind(entry))),
    topK: 1,
    own: true,
    hints: { strategy: "structured" },
  });
  return last;
}

/** Why the new segment does not go on with the last one; null: it does. */
async function refusal(
  last: Hit,
  fresh: ServiceInsert,
  { think }: PostInsertContext,
  { continuity_prompt, across_sessions, max_segment_size }: Options,
): Promise<string | null> {
  const isOther = (fresh.metadata?.session ?? "") !== (last.metadata.session ?? "");
  if (isOther && !across_sessions) return "another session";
  if (estimateTokens(textOfBoth(last, fresh)) > max_segment_size) return "too large together";
  // The published program shows the key of the last segment, which is shorter than the segment.
  const { compressed } = last.metadata;
  const previous = typeof compressed === "string" ? compressed : last.content;
  const { continuous } = await think(judgeContinuity, { previous, next: fresh.content }, continuity_prompt);
  return continuous ? null : "another topic";
}

async function joined(
  last: Hit,
  fresh: ServiceInsert,
  context: PostInsertContext,
  ratio: number,
): Promise<ServiceInsert> {
  const text = textOfBoth(last, fresh);
  const compressed = denoiseText(text, ratio);
  const merging = { text, embedText: compressed, fresh, known: [last], kind: last.kind };
  const whole = await mergedEntry({ ...merging, fields: fieldsOf(fresh.vectors ?? []) }, context);
  const summaries = [last.metadata.summary, fresh.metadata?.summary].filter((one) => typeof one === "string");
  return {
    ...whole,
    metadata: {
      ...whole.metadata,
      compressed,
      ...(last.metadata.segment === undefined ? {} : { segment: last.metadata.segment }),
      ...(summaries.length === 0 ? {} : { summary: summaries.join("\n") }),
    },
  };
}

function textOfBoth(last: Hit, fresh: ServiceInsert): string {
  return `${last.content}\n${fresh.content}`;
}
