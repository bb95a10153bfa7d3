import { expect, test } from "vitest";
import { shiftedDate } from "./shifted-date.ts";

test.each([
  ["7 May 2023", "16 June 2023"],
  ["May 7, 2023", "16 June 2023"],
  ["7th May, 2023", "16 June 2023"],
  ["The week before 9 June 2023", "The week before 19 July 2023"],
  ["The Friday before 24June, 2022.", "The Friday before 3 August 2022."],
  ["30 Dec 2022", "8 February 2023"],
  ["2023-05-07", "2023-06-16"],
  ["In May 2023", "In September 2023"],
  ["October, 2022", "February 2023"],
  ["Since 2016", "Since 2018"],
  ["2023年5月7日", "2023年6月16日"],
  ["在2022年10月", "在2023年2月"],
  ["2016年毕业", "2018年毕业"],
  ["from 2 May 2023 to June 2023", "from 11 June 2023 to October 2023"],
])("%s becomes %s", (text, expected) => {
  expect(shiftedDate(text)).toBe(expected);
});

test.each(["a red scarf", "三年", "3 years", "2,023 people", "20231", "1.2019", "last Friday"])(
  "there is no date in %s",
  (text) => {
    expect(shiftedDate(text)).toBeUndefined();
  },
);
