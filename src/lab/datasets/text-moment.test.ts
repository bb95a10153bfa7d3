import { expect, test } from "vitest";
import { textMoment } from "./text-moment.ts";

test.each([
  ["1:56 pm on 8 May, 2023", "2023-05-08T13:56Z"],
  ["12:09 am on 13 September, 2023", "2023-09-13T00:09Z"],
  ["12:30 PM on 1 Jan 2024", "2024-01-01T12:30Z"],
  ["2023/05/20 (Sat) 02:21", "2023-05-20T02:21Z"],
  ["2024-02-29 (星期四) 23:59", "2024-02-29T23:59Z"],
  ["2024/2/9（周五）7:05", "2024-02-09T07:05Z"],
  ["2025-12-15 (Monday)", "2025-12-15T00:00Z"],
  ["2025-12-15T08:30", "2025-12-15T08:30Z"],
])("%s", (text, iso) => {
  expect(textMoment(text)).toBe(Date.parse(iso));
});

test.each([
  "",
  "yesterday",
  "昨天下午",
  "2023/02/31 (Fri) 10:00",
  "2023/05/20 (Sat) 25:00",
  "1:56 pm on 8 Foo, 2023",
  "3:00 pm on 31 April, 2023",
])("%s is no moment", (text) => {
  expect(textMoment(text)).toBeUndefined();
});
