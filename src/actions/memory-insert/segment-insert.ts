/** Stores a stretch of talk about one topic: kind "segment", its name in `metadata.segment`, its topic in `metadata.summary`. */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { requireDetails, toInsert } from "./to-insert.ts";

export const segmentInsert = defineAction({
  stage: "memory_insert",
  name: "segment_insert",
  summary: "Stores a stretch of talk with the name of its segment.",
  options: z.strictObject({}),
  run(draft, { store }) {
    requireDetails(draft, "segment_insert", "segment");
    return store.insert(toInsert(draft, { kind: draft.kind ?? "segment" }));
  },
});
