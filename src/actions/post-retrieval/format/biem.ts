/**
 * BIEM's context block (S4-23, S4-24, C-36): numbered lines with a sign for how alive a memory is and, where they are
 * known, the names in it on a second line; before them what other actions know beside them. The sign goes by the rule and not by the seed's example (C-4): ● above hot, ◌
 * up to cold, ○ between.
 */
import { z } from "zod";
import type { PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found, FoundHit } from "../../../pipeline/question.ts";
import { createVitality, vitalitySchema } from "../../../policies/vitality/index.ts";
import { oneLine } from "../../../tasks/dialogue.ts";
import { shownHits } from "../found-hits.ts";
import { allLines } from "./text-sections.ts";

export const biemOptions = z
  .strictObject({
    format_type: z.literal("biem").describe("BIEM's block: signs of energy, and names."),
    heading: z.string().describe('What stands above the list; "" for nothing.'),
    entities_label: z.string().min(1).describe("What stands before the names in a memory."),
    hot: z.number().describe("Above this a memory gets the sign ●."),
    cold: z.number().describe("Up to this it gets the sign ◌, and ○ between the two."),
    vitality: vitalitySchema.describe("How alive a memory is: the policy that the service uses, too."),
  })
  .refine(({ hot, cold }) => cold <= hot, { path: ["cold"], error: "must be no more than hot" });
type Options = Readonly<z.infer<typeof biemOptions>>;

export function formatAsBiem(found: Found, { now }: PostRetrievalContext, options: Options): Found {
  const { heading, entities_label, vitality } = options;
  const { score } = createVitality(vitality);
  const items = shownHits(found.hits).map((hit, place) => {
    const energy = score(hit, now);
    const line = `${place + 1}. [${signOf(energy, options)} E=${energy.toFixed(2)}] ${oneLine(hit.text)}`;
    const names = entitiesOf(hit);
    return names.length === 0 ? line : `${line}\n   ${entities_label}: ${names.join(", ")}`;
  });
  const beside = allLines(found.sections).join("\n");
  const above = heading === "" || items.length === 0 ? [] : [`## ${heading}`];
  const blocks = [...(beside === "" ? [] : [beside]), ...above, ...items];
  return { ...found, context: blocks.join("\n\n") };
}

function signOf(energy: number, { hot, cold }: Options): string {
  if (energy > hot) return "●";
  return energy > cold ? "○" : "◌";
}

const entitiesSchema = z
  .array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]))
  .catch([]);

function entitiesOf({ metadata }: FoundHit): string[] {
  return entitiesSchema.parse(metadata.entities).map(oneLine);
}
