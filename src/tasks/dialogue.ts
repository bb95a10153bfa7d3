/** What was said, as tasks take and show it: lines of a dialogue with their times, memories with their facts, lists with numbers. */
import { z } from "zod";
import { offsetText, wallTime } from "../text/time/zone.ts";

/** Something is asked. */
export const questionSchema = z.string().regex(/\S/, "must not be empty");

/**
 * A moment in epoch milliseconds, of the years 0 to 9999: timestamps in prompts have four digits for the year, and a date
 * near the end of what JavaScript counts has no tomorrow.
 */
export const momentSchema = z
  .number()
  .int()
  .min(Date.parse("0000-01-01T00:00:00.000Z"), "must be epoch milliseconds, not before the year 0")
  .max(Date.parse("9999-12-31T23:59:59.999Z"), "must be epoch milliseconds, not after the year 9999");

/** A turn fits as it is. */
export const lineSchema = z.object({
  speaker: z.string(),
  text: z.string(),
  /** What attached pictures or files show, in words. */
  captions: z.array(z.string()).readonly().default([]),
  /** When it was said (epoch ms) and in which zone; relative times in the text are meant from there. */
  happenedAt: momentSchema.optional(),
  zone: z.string().nullish(),
});
export type Line = z.infer<typeof lineSchema>;

export const linesSchema = z.array(lineSchema).min(1);

/** A memory as it is shown to whoever answers from it. */
export const memorySchema = z.object({
  text: z.string(),
  happenedAt: momentSchema.optional(),
  zone: z.string().nullish(),
  location: z.string().nullish(),
  persons: z.array(z.string()).readonly().default([]),
  entities: z.array(z.string()).readonly().default([]),
  topic: z.string().nullish(),
});
export type MemoryText = z.infer<typeof memorySchema>;

/** "[timestamp] speaker: content" (S2-4), each line with its number, by which replies name it. */
export function printLines(lines: readonly Line[]): string {
  return lines.map((line, number) => `[${number}] ${printLine(line)}`).join("\n");
}

export function printLine(line: Line): string {
  return oneLine(withTimestamp(line, `${line.speaker || "?"}: ${saidIn(line)}`));
}

/** What was said together with what was shown. */
export function saidIn({ text, captions }: Line): string {
  return captions.reduce((said, caption) => `${said} [${caption}]`, text);
}

/** One memory per line, with its number and what is known about it. */
export function printMemories(memories: readonly MemoryText[]): string {
  return memories
    .map((memory, number) => {
      const { text, location, persons, entities, topic } = memory;
      const known = [
        ["time", timestampOf(memory)],
        ["location", location],
        ["persons", persons.join(", ")],
        ["entities", entities.join(", ")],
        ["topic", topic],
      ].filter(([, value]) => value !== undefined && value !== null && value !== "");
      const details = known.map(([name, value]) => `${name}: ${value}`).join("; ");
      return oneLine(`[${number}] ${text}${details === "" ? "" : ` (${details})`}`);
    })
    .join("\n");
}

export function printNumbered(texts: readonly string[]): string {
  return texts.map((text, number) => `[${number}] ${oneLine(text)}`).join("\n");
}

/** One item per line. */
export function printItems(texts: readonly string[], mark = ""): string {
  return texts.map((text) => `${mark}${oneLine(text)}`).join("\n");
}

/** What stands on a line of its own is ours: a line break within data would let it forge the next number and speaker. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\n\v\f\r\u0085\u2028\u2029]\s*/g, " ");
}

interface Timed {
  readonly happenedAt?: number | undefined;
  readonly zone?: string | null | undefined;
}

/** "2023-05-08T13:56+08:00", on the clock of the zone. */
export function timestampOf({ happenedAt, zone }: Timed): string | undefined {
  if (happenedAt === undefined) return undefined;
  const where = zone ?? "UTC";
  return `${new Date(wallTime(happenedAt, where)).toISOString().slice(0, 16)}${offsetText(happenedAt, where)}`;
}

/** The text behind the time it was said at, if that is known. */
export function withTimestamp(timed: Timed, text: string): string {
  const time = timestampOf(timed);
  return time === undefined ? text : `[${time}] ${text}`;
}

/** The moment relative times are meant from; undefined if it was not told, and then they stay as they are. */
export function referenceOf({ happenedAt, zone }: Timed): { at: number; zone: string } | undefined {
  return happenedAt === undefined ? undefined : { at: happenedAt, zone: zone ?? "UTC" };
}

export function joinLines(lines: readonly Line[]): string {
  return lines.map(saidIn).join("\n");
}
