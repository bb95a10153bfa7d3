/**
 * What does the clock on the wall show in a zone, and which instant is it when it shows that? A wall time is a number:
 * the milliseconds since 1970-01-01T00:00 as if the wall were in UTC, so calendar arithmetic needs no zone.
 */
import { MemoryError } from "../../base/errors.ts";

/** An IANA name ("Asia/Shanghai"), "UTC", or an offset ("+08:00", "-0530"). */
export type Zone = string;

export function wallTime(instant: number, zone: Zone): number {
  return instant + offsetMs(instant, zone);
}

/** The first instant at which the wall shows that time; where clocks jump over it, the moment of the jump's far side. */
export function instantOf(wall: number, zone: Zone): number {
  const early = wall - offsetMs(wall - DAY_MS, zone);
  if (wallTime(early, zone) === wall) return early;
  return wall - offsetMs(wall - offsetMs(wall, zone), zone);
}

/** "+08:00" or "Z", as ISO 8601 writes the zone at that instant. */
export function offsetText(instant: number, zone: Zone): string {
  const minutes = Math.round(offsetMs(instant, zone) / 60_000);
  if (minutes === 0) return "Z";
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

const DAY_MS = 86_400_000;
const FIXED = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/;
const formatters = new Map<Zone, Intl.DateTimeFormat>();

function offsetMs(instant: number, zone: Zone): number {
  if (zone === "UTC" || zone === "Z") return 0;
  const fixed = FIXED.exec(zone);
  if (fixed !== null) return signed(fixed[1], fixed[2], fixed[3]);
  // The formatter writes "GMT+08:00", "GMT-00:01:15" for old dates, or plain "GMT".
  const name = formatterOf(zone)
    .formatToParts(instant)
    .find((part) => part.type === "timeZoneName");
  const found = /([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name?.value ?? "");
  return found === null ? 0 : signed(found[1], found[2], found[3], found[4]);
}

function signed(sign: string | undefined, hours = "0", minutes = "0", seconds = "0"): number {
  const size = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000;
  return sign === "-" ? -size : size;
}

function formatterOf(zone: Zone): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  try {
    const made = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formatters.set(zone, made);
    return made;
  } catch (cause) {
    throw new MemoryError(
      "input_invalid",
      `"${zone.slice(0, 60)}" is not a time zone. Valid: an IANA name such as "Asia/Shanghai", "UTC", or an offset such as "+08:00".`,
      { cause },
    );
  }
}
