/** As XML: an element for each memory inside one for all. Whatever a memory says is escaped, so it can close no tag. */
import { z } from "zod";
import type { Found, FoundHit, Question } from "../../../pipeline/question.ts";
import { shownHits } from "../found-hits.ts";
import { printMoment } from "../print-moment.ts";
import { linesOf, TEXT_SECTIONS } from "./text-sections.ts";

const tag = z.string().regex(/^[A-Za-z_][\w.-]*$/, "must be a name for an XML element");

export const xmlOptions = z.strictObject({
  format_type: z.literal("xml").describe("As XML."),
  tags: z
    .strictObject({
      memories: tag.describe("The element around all memories."),
      memory: tag.describe("The element of one memory."),
    })
    .describe("The names of the elements; sections of other actions have their own names."),
  attributes: z
    .array(z.enum(["id", "date", "speaker", "kind", "tier", "score"]))
    .describe("What a memory's element says of it."),
});
type Options = z.infer<typeof xmlOptions>;

export function formatAsXml(found: Found, options: Options): Found {
  const { memories, memory } = options.tags;
  const parts = TEXT_SECTIONS.flatMap((name) => {
    const lines = linesOf(found.sections, name);
    return lines.length === 0 ? [] : [`<${name}>\n${lines.map(escapeXml).join("\n")}\n</${name}>`];
  });
  const items = shownHits(found.hits).map((hit) => {
    const known = options.attributes.flatMap((name) => {
      const value = attributeOf(hit, name, found.question);
      return value === "" ? [] : [` ${name}="${escapeXml(value)}"`];
    });
    return `<${memory}${known.join("")}>${escapeXml(hit.text)}</${memory}>`;
  });
  const list = [`<${memories}>`, ...items, `</${memories}>`].join("\n");
  return { ...found, context: [...parts, list].join("\n") };
}

function attributeOf(
  hit: FoundHit,
  name: Options["attributes"][number],
  { at: now, zone }: Question,
): string {
  switch (name) {
    case "id":
      return hit.id;
    case "date":
      return printMoment(hit.happenedAt, hit.text, { style: "minute", zone, now });
    case "speaker":
      return typeof hit.metadata.speaker === "string" ? hit.metadata.speaker : "";
    case "kind":
      return hit.kind;
    case "tier":
      return hit.tier ?? "";
    case "score":
      return hit.score.toFixed(2);
  }
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
]);

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES.get(sign) ?? sign);
}
