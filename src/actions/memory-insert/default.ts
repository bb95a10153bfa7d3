/** Stores a draft as it is (S0-42). */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { toInsert } from "./to-insert.ts";

export const defaultInsert = defineAction({
  stage: "memory_insert",
  name: "default",
  summary: "Stores a draft as it is.",
  options: z.strictObject({}),
  run: (draft, { store }) => store.insert(toInsert(draft)),
});
