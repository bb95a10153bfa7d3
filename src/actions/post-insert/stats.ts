/** How much was just stored, in numbers, for whoever follows the trace (S0-34). */
import { z } from "zod";
import type { Json } from "../../base/json.ts";
import { defineAction, type StageData } from "../../pipeline/action.ts";
import { estimateTokens } from "../../text/token-count.ts";
import { storedKind } from "./stored-kind.ts";

type Given = StageData["post_insert"]["given"];

const MEASURES = {
  turns: ({ turns }) => turns.length,
  entries: ({ inserted }) => inserted.length,
  tokens: ({ inserted }) => inserted.reduce((sum, { entry }) => sum + estimateTokens(entry.content), 0),
  vectors: ({ inserted }) => inserted.reduce((sum, { entry }) => sum + (entry.vectors ?? []).length, 0),
  kinds: ({ inserted }) => countOf(inserted.map(({ entry }) => storedKind(entry))),
  insert_methods: ({ inserted }) => countOf(inserted.map(({ draft }) => draft.insertMethod)),
} as const satisfies Readonly<Record<string, (given: Given) => Json>>;

const measureNames = z.enum(
  Object.keys(MEASURES).filter((name): name is keyof typeof MEASURES => name in MEASURES),
);

export const countInserted = defineAction({
  stage: "post_insert",
  name: "stats",
  summary: "Counts what was stored: turns, entries, tokens, vectors, kinds, insert methods.",
  options: z.strictObject({
    measures: z.array(measureNames).min(1).describe("What is counted."),
  }),
  run(given, context, { measures }) {
    for (const name of measures) context.note(name, MEASURES[name](given));
    return undefined;
  },
});

function countOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
