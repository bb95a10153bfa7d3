import { z } from "zod";
import { defineCall } from "../operation.ts";
import { entryOutput } from "../schemas/entry.ts";

export const getOperation = defineCall({
  name: "get",
  summary: { en: "one memory, as it is stored", zh: "按编号取一条记忆" },
  effect: "read",
  isIdempotent: true,
  route: { method: "GET", path: "/v1/memories/{id}" },
  tool: "One memory by id, with its sources and when it was learned.",
  input: z.strictObject({ id: z.string() }),
  output: entryOutput,
  run: (memory, { id }) => memory.get(id),
});
