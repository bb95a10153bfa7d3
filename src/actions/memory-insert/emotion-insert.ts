/** Stores a memory with the emotion it shows: `metadata.emotion`, beside the vector field that holds all eight. */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { requireDetails, toInsert } from "./to-insert.ts";

export const emotionInsert = defineAction({
  stage: "memory_insert",
  name: "emotion_insert",
  summary: "Stores a draft with its strongest emotion and how strong it is.",
  options: z.strictObject({}),
  run(draft, { store }) {
    requireDetails(draft, "emotion_insert", "emotion");
    return store.insert(toInsert(draft));
  },
});
