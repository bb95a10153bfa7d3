/** Nothing happens after an insert (S0-34). */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";

export const noPostInsert = defineAction({
  stage: "post_insert",
  name: "none",
  summary: "Does nothing after an insert.",
  options: z.strictObject({}),
  run: () => undefined,
});
