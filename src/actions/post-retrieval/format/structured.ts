/** Under headings: memories by kind or tier, and the sections that other actions made; what is empty is left out. */
import { z } from "zod";
import type { Found } from "../../../pipeline/question.ts";
import { oneLine } from "../../../tasks/dialogue.ts";
import { shownHits } from "../found-hits.ts";
import { linesOf, TEXT_SECTIONS } from "./text-sections.ts";

const title = z.string().min(1).describe("The heading.");
const names = z.array(z.string().min(1)).min(1).nullable();

export const structuredOptions = z.strictObject({
  format_type: z.literal("structured").describe("Under headings."),
  sections: z
    .array(
      z.discriminatedUnion("of", [
        z.strictObject({
          of: z.literal("memories").describe("Hits that no heading before has shown."),
          title,
          kinds: names.describe("Only hits of these kinds; null: of all."),
          tiers: names.describe("Only hits of these tiers; null: of all."),
        }),
        z.strictObject({
          of: z.literal("section").describe("What augment has added."),
          title,
          section: z.enum(TEXT_SECTIONS).describe("Which of them."),
        }),
      ]),
    )
    .min(1)
    .describe("The headings, in order, and what stands under each."),
});
type Options = z.infer<typeof structuredOptions>;

export function formatByHeadings(found: Found, { sections }: Options): Found {
  const shown = new Set<string>();
  const blocks = sections.map((section) => {
    if (section.of === "section")
      return { title: section.title, lines: linesOf(found.sections, section.section) };
    const { kinds, tiers } = section;
    const hits = shownHits(found.hits).filter(
      ({ id, kind, tier }) =>
        !shown.has(id) &&
        (kinds === null || kinds.includes(kind)) &&
        (tiers === null || (tier !== null && tiers.includes(tier))),
    );
    for (const { id } of hits) shown.add(id);
    return { title: section.title, lines: [...new Set(hits.map(({ text }) => oneLine(text)))] };
  });
  const filled = blocks.filter(({ lines }) => lines.length > 0);
  const context = filled
    .map(({ title, lines }) => [`## ${title}`, ...lines.map((line) => `- ${line}`)].join("\n"))
    .join("\n\n");
  return { ...found, context, sections: { ...found.sections, blocks: filled } };
}
