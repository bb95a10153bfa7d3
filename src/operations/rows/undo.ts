import { z } from "zod";
import { defineCall } from "../operation.ts";

export const undoOperation = defineCall({
  name: "undo",
  summary: { en: "take a change back, with all that was changed together with it", zh: "撤销一次改动" },
  effect: "write",
  isIdempotent: false,
  route: { method: "POST", path: "/v1/undo" },
  tool: null,
  input: z.strictObject({ event: z.int().min(1).describe("`seq` of an event of the history.") }),
  output: z.object({ events: z.array(z.number()).readonly(), entries: z.array(z.string()).readonly() }),
  run: (memory, { event }) => memory.undo(event),
});
