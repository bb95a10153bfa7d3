/**
 * One round for each entry (S0-11, S0-34; TiM): what lies near it is looked up, a model says what of it the new one makes
 * superfluous, and one merged memory takes the place of all of them.
 */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { distil } from "../../tasks/distil.ts";
import { fieldsOf, mergedEntry } from "./round/merge.ts";
import { runRounds } from "./round/rounds.ts";

export const distillation = defineAction({
  stage: "post_insert",
  name: "distillation",
  summary: "Merges each new memory with those near it that say the same.",
  options: z.strictObject({
    topk: z.int().min(1).describe("How many memories near the new one are shown."),
    threshold: z
      .number()
      .min(-1)
      .max(1)
      .nullable()
      .describe("Only memories with at least this cosine to the new one are shown; null: all."),
    full_topk_only: z
      .boolean()
      .describe("Whether to distil only where as many memories as `topk` are near: fewer need no merging."),
    prompt: z.string().min(1).describe("Id of the prompt that asks for the merged memory."),
    result_kind: z
      .string()
      .min(1)
      .nullable()
      .describe("Kind of the merged memory; null: that of the nearest that it replaces."),
    hard_delete: z
      .boolean()
      .describe("Whether what was merged is deleted for good; else it is kept, superseded, out of recall."),
  }),
  claims: ({ prompt }) => ({
    cycle: true,
    hints: [{ strategy: "semantic", names: [] }],
    embedder: true,
    prompts: [{ task: distil, prompt }],
  }),
  async run({ inserted }, context, options) {
    const { topk, threshold, full_topk_only, prompt, result_kind, hard_delete } = options;
    let merged = 0;
    let replaced = 0;
    await runRounds(inserted, context, { search: "semantic", topk }, async ({ id, entry, near, cycle }) => {
      const shown = threshold === null ? near : near.filter(({ score }) => score >= threshold);
      if (shown.length === 0 || (full_topk_only && shown.length < topk)) return [];
      const existing = shown.map(({ content }) => content);
      const reply = await context.think(distil, { memory: entry.content, existing }, prompt);
      // Numbers are places in what was shown: only here do they become ids (B.0.9, 6).
      const known = reply.replaced.flatMap((number) => shown[number] ?? []);
      if (reply.merged === null || known.length === 0) return [];
      const kind = result_kind ?? known[0]?.kind;
      const made = {
        text: reply.merged,
        fresh: entry,
        known,
        kind,
        fields: fieldsOf(entry.vectors ?? []),
      };
      const whole = await mergedEntry(made, context);
      const gone = [...known.map((one) => one.id), id];
      await cycle.delete(gone, { hard: hard_delete });
      await cycle.insert([whole]);
      merged++;
      replaced += known.length;
      return gone;
    });
    context.note("merged", merged);
    context.note("replaced", replaced);
    return undefined;
  },
});
