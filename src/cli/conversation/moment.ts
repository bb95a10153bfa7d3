/** When was it said? A date as people and programs write it, read as UTC where it names no zone. */

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Epoch milliseconds; undefined where it cannot be read. */
export function readMoment(text: string): number | undefined {
  const [whole, day = "", time = "00:00", zone = "Z"] = ISO.exec(text.trim().replaceAll("/", "-")) ?? [];
  if (whole === undefined) return undefined;
  const moment = Date.parse(
    `${day}T${time.padStart(time.indexOf(":") === 1 ? time.length + 1 : 0, "0")}${zone}`,
  );
  return Number.isNaN(moment) ? undefined : moment;
}
