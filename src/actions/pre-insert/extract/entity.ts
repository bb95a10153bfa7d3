/** The names in a text: `metadata.entities`, persons among them in `metadata.persons`, too. */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { extractEntities } from "../../../tasks/extract-entities.ts";
import { ENTITY_KINDS } from "../../../text/entity.ts";
import { findTimes } from "../../../text/time.ts";
import { promptOption } from "../prompt-option.ts";
import { addToMetadata, type Findings } from "./findings.ts";

const ENTITY_TYPES = [...ENTITY_KINDS, "time"] as const;

export const entityFields = {
  entity_prompt: promptOption("the names in a text"),
  entity_types: z
    .array(z.enum(ENTITY_TYPES))
    .min(1)
    .describe(
      "Which names count; event is a festival, a competition or the like; other a name of which nothing tells what it names; time a date or an hour.",
    ),
};

export const entityOptions = z.strictObject({
  extract_type: z.literal("entity").describe("The names in a text."),
  ...entityFields,
  add_to_metadata: addToMetadata,
});

export async function findNames(
  { content, turns, happenedAt }: Draft,
  { think, now }: PreInsertContext,
  { entity_prompt, entity_types }: Pick<z.infer<typeof entityOptions>, keyof typeof entityFields>,
): Promise<Findings> {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker).filter((name) => name !== ""))];
  const { entities } = await think(extractEntities, { text: content, persons: speakers }, entity_prompt);
  const wanted = entities.filter(({ type }) => entity_types.includes(type));
  const reference = { at: happenedAt ?? now, zone: turns.at(-1)?.zone ?? "UTC" };
  const times = entity_types.includes("time") ? findTimes(content, reference).map(({ text }) => text) : [];
  const names = [...new Set([...wanted.map(({ name }) => name), ...times])];
  const persons = wanted.filter(({ type }) => type === "person").map(({ name }) => name);
  return { metadata: { entities: names, ...(persons.length > 0 ? { persons } : {}) }, terms: names };
}
