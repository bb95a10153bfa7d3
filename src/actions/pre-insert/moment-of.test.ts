import { expect, test } from "vitest";
import { momentOf } from "./moment-of.ts";

test.each([
  ["2023-05-08T13:56+08:00", "UTC", "2023-05-08T05:56:00.000Z"],
  ["2023-05-08T13:56", "Asia/Shanghai", "2023-05-08T05:56:00.000Z"],
  ["2023-05-08T13:56:30Z", "Asia/Shanghai", "2023-05-08T13:56:30.000Z"],
  ["2023-05-08", "UTC", "2023-05-08T00:00:00.000Z"],
  ["2023-05-08", "Asia/Shanghai", "2023-05-07T16:00:00.000Z"],
  ["2023-05", "UTC", "2023-05-01T00:00:00.000Z"],
  ["2023", "UTC", "2023-01-01T00:00:00.000Z"],
  ["2023-W19", "UTC", "2023-05-08T00:00:00.000Z"],
  ["2021-W01", "UTC", "2021-01-04T00:00:00.000Z"],
  ["2020-W53", "UTC", "2020-12-28T00:00:00.000Z"],
  ["2023-05-08/2023-05-10", "UTC", "2023-05-08T00:00:00.000Z"],
])("%s in %s begins at %s", (timestamp, zone, moment) => {
  expect(new Date(momentOf(timestamp, zone) ?? 0).toISOString()).toBe(moment);
});

test("what is no moment is none", () => {
  for (const text of ["", "soon", "2023-13-45", "昨天"]) expect(momentOf(text, "UTC")).toBeUndefined();
});
