/** What was just stored, told to whoever follows the trace (S0-34). */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/json.ts";
import { defineAction, type Inserted } from "../../pipeline/action.ts";
import { storedKind } from "./stored-kind.ts";

const FIELDS = {
  id: ({ id }) => id,
  content: ({ entry }) => entry.content,
  kind: ({ entry }) => storedKind(entry),
  tags: ({ entry }) => [...(entry.tags ?? [])],
  sources: ({ entry }) => [...(entry.sources ?? [])],
  metadata: ({ entry }) => entry.metadata ?? {},
  importance: ({ entry }) => entry.importance ?? null,
  happened_at: ({ entry }) => entry.happenedAt ?? null,
  insert_method: ({ draft }) => draft.insertMethod,
  insert_mode: ({ entry }) => entry.insertMode ?? "passive",
} as const satisfies Readonly<Record<string, (one: Inserted) => Json>>;

const fieldNames = z.enum(Object.keys(FIELDS).filter((name): name is keyof typeof FIELDS => name in FIELDS));

export const logInserted = defineAction({
  stage: "post_insert",
  name: "log",
  summary: "Writes what was stored into the trace.",
  options: z.strictObject({
    level: z.enum(["debug", "info", "warn"]).describe("How loud it is, for those who filter the trace."),
    fields: z.array(fieldNames).min(1).describe("What of each entry is written."),
  }),
  run({ inserted }, context, { level, fields }) {
    context.note("level", level);
    context.note(
      "inserted",
      inserted.map(
        (one): JsonObject =>
          Object.fromEntries(fields.map((name): [string, Json] => [name, FIELDS[name](one)])),
      ),
    );
    return undefined;
  },
});
