/**
 * As a conversation: each memory a message of who said it, oldest first, in the section "messages" (and as lines). What other
 * actions know beside the memories nobody said: it is a message of the system, before them all.
 */
import { z } from "zod";
import type { Found, FoundHit, Question } from "../../../pipeline/question.ts";
import { oneLine } from "../../../tasks/dialogue.ts";
import { oldestFirst, shownHits } from "../found-hits.ts";
import { printMoment } from "../print-moment.ts";
import { allLines } from "./text-sections.ts";

const role = z.enum(["system", "user", "assistant"]);

export const chatOptions = z.strictObject({
  format_type: z.literal("chat").describe("As messages of a conversation."),
  role_mapping: z.record(z.string(), role).describe("The role of each speaker, by name."),
  default_role: role.describe("The role of a speaker who is not named, and of what nobody said."),
  timestamps: z.boolean().describe("Whether a message begins with when it was said."),
});
type Options = z.infer<typeof chatOptions>;

export function formatAsChat(found: Found, options: Options): Found {
  const beside = allLines(found.sections).join("\n");
  const said = oldestFirst(shownHits(found.hits)).map((hit) => ({
    role: roleOf(hit, options),
    content: contentOf(hit, found.question, options),
  }));
  const messages = [...(beside === "" ? [] : [{ role: "system", content: beside }]), ...said];
  const context = messages.map(({ role: who, content }) => `${who}: ${oneLine(content)}`).join("\n");
  return { ...found, context, sections: { ...found.sections, messages } };
}

function roleOf({ metadata }: FoundHit, { role_mapping, default_role }: Options): z.infer<typeof role> {
  const { speaker } = metadata;
  const known = typeof speaker === "string" && Object.hasOwn(role_mapping, speaker);
  return (known ? role_mapping[speaker] : undefined) ?? default_role;
}

/** Who a mapped speaker is, the role tells; the name of another stays before the words. */
function contentOf(
  { text, metadata, happenedAt }: FoundHit,
  { at: now, zone }: Question,
  options: Options,
): string {
  const { speaker } = metadata;
  const isMapped = typeof speaker === "string" && Object.hasOwn(options.role_mapping, speaker);
  const name = isMapped ? `${speaker}: ` : "";
  const said = name !== "" && text.startsWith(name) ? text.slice(name.length) : text;
  if (!options.timestamps) return said;
  return `[${printMoment(happenedAt, said, { style: "minute", zone, now })}] ${said}`;
}
