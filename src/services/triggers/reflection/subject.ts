/** Whom is a reflection about? Everything, oneself (what one said or is named in), or all the rest. */
import { z } from "zod";
import type { Entry } from "../../../base/entry.ts";
import { readField } from "../../../base/filter.ts";

const name = z.string().min(1).describe("The name of who reflects, as entries and speakers have it.");

export const subjectSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("general").describe("About everything.") }),
  z.strictObject({ type: z.literal("self").describe("About what one said oneself or is named in."), name }),
  z.strictObject({
    type: z.literal("other").describe("About what others said, and not about oneself."),
    name,
  }),
]);
export type Subject = z.infer<typeof subjectSchema>;

export function isAbout(subject: Subject, entry: Entry): boolean {
  switch (subject.type) {
    case "general":
      return true;
    case "self":
      return concerns(subject.name, entry);
    case "other":
      return !concerns(subject.name, entry);
  }
}

function concerns(who: string, entry: Entry): boolean {
  if (readField(entry, "metadata.speaker") === who) return true;
  const literal = who.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  // No Latin letter or digit next to it: Ann is not in "Anna". Chinese writes names without spaces.
  return new RegExp(`(?<![a-z0-9])${literal}(?![a-z0-9])`, "iu").test(entry.content);
}
