import fc from "fast-check";
import { expect, test } from "vitest";
import { instantOf, offsetText, wallTime } from "./zone.ts";

const ZONES = [
  "UTC",
  "Asia/Shanghai",
  "America/New_York",
  "Europe/Berlin",
  "Asia/Kolkata",
  "+08:00",
  "-0330",
  "UTC+9",
];

test("law: an instant's wall time leads back to the instant, or to the first one that shows the same", () => {
  const instant = fc.integer({ min: Date.parse("1975-01-01"), max: Date.parse("2037-12-31") });
  fc.assert(
    fc.property(instant, fc.constantFrom(...ZONES), (at, zone) => {
      const again = instantOf(wallTime(at, zone), zone);
      expect(wallTime(again, zone)).toBe(wallTime(at, zone));
      expect(again).toBeLessThanOrEqual(at);
      expect(at - again).toBeLessThanOrEqual(2 * 3_600_000);
    }),
  );
});

test("an hour that the clocks jump over begins when they have jumped", () => {
  // 26 March 2023 in Berlin has no 02:30.
  const at = instantOf(Date.parse("2023-03-26T02:30Z"), "Europe/Berlin");
  expect(new Date(at).toISOString()).toBe("2023-03-26T01:30:00.000Z");
});

test("offsets as ISO 8601 writes them", () => {
  const at = Date.parse("2023-06-09T00:00Z");
  expect(["UTC", "Asia/Kolkata", "-0330", "America/New_York"].map((zone) => offsetText(at, zone))).toEqual([
    "Z",
    "+05:30",
    "-03:30",
    "-04:00",
  ]);
});

test("what is no zone is refused", () => {
  expect(() => wallTime(0, "Nowhere/Land")).toThrow(/not a time zone/);
});
