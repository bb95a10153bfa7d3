/** Sections of an answer that are text: what augment leaves beside the hits, one text a line. */
import { z } from "zod";
import type { JsonObject } from "../../../base/json.ts";
import { oneLine } from "../../../tasks/dialogue.ts";

export const TEXT_SECTIONS = [
  "persona",
  "traits",
  "events",
  "history",
  "profile",
  "portrait",
  "overview",
  "relations",
] as const;
export type TextSection = (typeof TEXT_SECTIONS)[number];

const schema = z.union([z.string().transform((text) => [text]), z.array(z.string())]).catch([]);

/** [] for a section that is not there. */
export function linesOf(sections: JsonObject, name: TextSection): string[] {
  return schema.parse(sections[name]).map(oneLine);
}

/** All of them, in their order, for forms that have no headings. */
export function allLines(sections: JsonObject): string[] {
  return TEXT_SECTIONS.flatMap((name) => linesOf(sections, name));
}
