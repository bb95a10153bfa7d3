/**
 * Mem0 (S0-34, C-28; arXiv 2504.19413): what becomes of each new memory beside those near it. One by one, as the paper has
 * it, or all in one call, as its first release does.
 */
import { z } from "zod";
import type { EntryId } from "../../base/ids.ts";
import { defineAction } from "../../pipeline/action.ts";
import { decideCrud } from "../../tasks/decide-crud.ts";
import type { CrudEvent } from "../../tasks/rules/conflict.ts";
import { decideAndCarryOut } from "./round/crud.ts";
import { decideTogether } from "./round/crud-together.ts";
import { fieldsOf } from "./round/merge.ts";
import { isSummary, replaceSummary } from "./round/replace-summary.ts";
import { NEAR_BY, runRounds } from "./round/rounds.ts";
import { settleCrud } from "./round/settle.ts";

export const mem0Crud = defineAction({
  stage: "post_insert",
  name: "mem0_crud",
  summary:
    "Decides for each new memory: ADD it, UPDATE or retire what it contradicts, or drop it as known (NOOP).",
  options: z.strictObject({
    decide: z
      .enum(["each", "together"])
      .describe(
        "each: one question for every new memory; together: one for all of a packet, with all memories near to any of them.",
      ),
    search: z.enum(NEAR_BY).describe("Whether memories near the new one are found by meaning or by words."),
    topk: z.int().min(1).describe("How many memories near the new one are shown."),
    prompt: z.string().min(1).describe("Id of the prompt that asks for the decision."),
  }),
  claims: ({ search, prompt }) => ({
    cycle: true,
    hints: [{ strategy: search, names: [] }],
    embedder: search === "semantic",
    prompts: [{ task: decideCrud, prompt }],
  }),
  async run({ inserted }, context, { decide, search, topk, prompt }) {
    const events: Record<string, number> = {};
    const decided = new Set<EntryId>();
    const told = (id: EntryId, event: CrudEvent): void => {
      events[event] = (events[event] ?? 0) + 1;
      decided.add(id);
    };
    for (const one of inserted.filter(isSummary)) await replaceSummary(one, context);
    const memories = inserted.filter((one) => !isSummary(one));
    if (decide === "together") await decideTogether(memories, context, { search, topk, prompt }, told);
    else {
      await runRounds(memories, context, { search, topk }, async ({ id, entry, near, cycle }) => {
        const round = { id, fresh: entry, fields: fieldsOf(entry.vectors ?? []), near, cycle };
        const { event, retired } = await decideAndCarryOut(round, context, prompt);
        told(id, event);
        return retired;
      });
    }
    await settleCrud(context.store, decided);
    context.note("events", events);
    return undefined;
  },
});
