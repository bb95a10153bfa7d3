import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { filterSchema } from "../../base/filter.ts";
import type { Forgettable } from "../../runtime/forget.ts";
import { lastMomentInput, momentInput } from "../moment.ts";
import { defineCall } from "../operation.ts";

const input = z.strictObject({
  id: z.string().optional().describe("A memory, with the turns it was made from."),
  turns: z.array(z.string()).min(1).max(10_000).optional().describe("What was said, by the ids of turns."),
  session: z.string().optional(),
  speaker: z.string().optional(),
  from: momentInput.optional().describe("With `to`: what was said in this span."),
  to: lastMomentInput.optional(),
  filter: filterSchema.optional().describe("Memories that match."),
  everything: z.literal(true).optional().describe("All of the scope."),
});

const erasureOutput = z.object({
  turns: z.array(z.string()).readonly(),
  entries: z.array(z.object({ id: z.string(), kind: z.string() })).readonly(),
  traces: z.number(),
  nodes: z.number(),
  vectors: z.object({ anew: z.number(), waiting: z.number() }),
  otherDesigns: z.array(z.object({ collection: z.string(), entries: z.number() })).readonly(),
});
export type ErasureOutput = z.infer<typeof erasureOutput>;

export const forgetOperation = defineCall({
  name: "forget",
  summary: {
    en: "erase for good, with everything that was made of it; says what went",
    zh: "彻底删除，连同由它得出的一切，并报告删了什么",
  },
  effect: "erase",
  isIdempotent: true,
  route: { method: "POST", path: "/v1/forget" },
  tool: "Erase for good what the user wants forgotten: exactly one of id, turns, session, speaker, from+to, filter, everything. Cannot be undone.",
  input,
  output: erasureOutput,
  run: (memory, given) => memory.forget(meant(given)),
});

/** Exactly one way to say what is meant: who gives two may mean either, and it cannot be undone. */
function meant({
  id,
  turns,
  session,
  speaker,
  from,
  to,
  filter,
  everything,
}: z.infer<typeof input>): Forgettable {
  const ways: Forgettable[] = [
    ...(id === undefined ? [] : [{ id }]),
    ...(turns === undefined ? [] : [{ turns }]),
    ...(session === undefined ? [] : [{ session }]),
    ...(speaker === undefined ? [] : [{ speaker }]),
    ...(from === undefined || to === undefined ? [] : [{ from, to }]),
    ...(filter === undefined ? [] : [{ filter }]),
    ...(everything === undefined ? [] : [{ everything }]),
  ];
  const [way, ...others] = ways;
  const isHalfSpan = (from === undefined) !== (to === undefined);
  if (way !== undefined && others.length === 0 && !isHalfSpan) return way;
  throw new MemoryError(
    "input_invalid",
    "What is to be forgotten is not clear. Valid: exactly one of id, turns, session, speaker, from with to, filter, everything.",
  );
}
