/** Stores a turn in full with its summary (SCM): `metadata.summary`, so that recall may choose between the two. */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { requireDetails, toInsert } from "./to-insert.ts";

export const scmInsert = defineAction({
  stage: "memory_insert",
  name: "scm_insert",
  summary: "Stores a turn in full together with its summary.",
  options: z.strictObject({}),
  run(draft, { store }) {
    requireDetails(draft, "scm_insert", "summary");
    return store.insert(toInsert(draft));
  },
});
