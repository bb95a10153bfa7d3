/** Stores one fact that a dialogue told: kind "fact", unless the draft has another; its sources are the turns that told it. */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { toInsert } from "./to-insert.ts";

export const factInsert = defineAction({
  stage: "memory_insert",
  name: "fact_insert",
  summary: 'Stores one fact, as a memory of the kind "fact".',
  options: z.strictObject({}),
  run: (draft, { store }) => store.insert(toInsert(draft, { kind: draft.kind ?? "fact" })),
});
