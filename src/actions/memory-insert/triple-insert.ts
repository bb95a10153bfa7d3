/**
 * Stores what was said with the triples that were read out of it (S0-42): kind "triple", `metadata.triples`. Graph services
 * link by them.
 */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { requireDetails, toInsert } from "./to-insert.ts";

export const tripleInsert = defineAction({
  stage: "memory_insert",
  name: "triple_insert",
  summary: 'Stores a draft with its triples, as a memory of the kind "triple".',
  options: z.strictObject({}),
  run(draft, { store }) {
    requireDetails(draft, "triple_insert", "triples");
    return store.insert(toInsert(draft, { kind: draft.kind ?? "triple" }));
  },
});
