/** Stores a piece of a longer text with its place (S0-42): kind "chunk", `metadata.chunk_index` of `metadata.total_chunks`. */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { requireDetails, toInsert } from "./to-insert.ts";

export const chunkInsert = defineAction({
  stage: "memory_insert",
  name: "chunk_insert",
  summary: "Stores a piece of a text with its place among the pieces.",
  options: z.strictObject({}),
  run(draft, { store }) {
    requireDetails(draft, "chunk_insert", "chunkIndex", "totalChunks");
    return store.insert(toInsert(draft, { kind: draft.kind ?? "chunk" }));
  },
});
