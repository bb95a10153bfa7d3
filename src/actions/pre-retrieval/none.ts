/** The question goes to the store as it was asked, without a vector (S0-37). */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";

export const noPreRetrieval = defineAction({
  stage: "pre_retrieval",
  name: "none",
  summary: "Leaves the question as it was asked, without a vector.",
  options: z.strictObject({}),
  run: (question) => question,
});
