/** What was said is stored as it was said (S0-25). */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";

export const noPreInsert = defineAction({
  stage: "pre_insert",
  name: "none",
  summary: "Leaves drafts as they are: what was said is stored as it was said.",
  options: z.strictObject({}),
  claims: () => ({ insertMethods: ["default"] }),
  run: ({ drafts }) => drafts,
});
