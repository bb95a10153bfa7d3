/** Which number do Chinese numerals write? 二十三, 一百零五, 两千, 二〇二一 digit by digit, and Arabic digits mixed in (3万). */

/** What a pattern may use to match a whole number. */
export const CHINESE_NUMBER = "(?:\\d{1,12}|[〇零一二两三四五六七八九十百千万廿]{1,12})";

/** The number a text of numerals stands for; undefined if it is not one. */
export function chineseNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^[〇零一二两三四五六七八九十百千万廿\d]+$/.test(text)) return undefined;
  if (!/[十百千万廿]/.test(text)) return digitByDigit(text);
  let total = 0;
  let section = 0;
  let digit = 0;
  for (const sign of text.replace("廿", "二十")) {
    const unit = UNITS.get(sign);
    if (unit === undefined) {
      digit = /\d/.test(sign) ? digit * 10 + Number(sign) : digitOf(sign);
    } else if (unit === 10_000) {
      total = (total + section + digit) * unit;
      section = 0;
      digit = 0;
    } else {
      section += (digit === 0 ? 1 : digit) * unit;
      digit = 0;
    }
  }
  return total + section + digit;
}

const DIGITS: ReadonlyMap<string, number> = new Map(
  [..."〇一二三四五六七八九"].map((sign, value): [string, number] => [sign, value]),
);
const UNITS: ReadonlyMap<string, number> = new Map([
  ["十", 10],
  ["百", 100],
  ["千", 1000],
  ["万", 10_000],
]);

function digitByDigit(text: string): number {
  let value = 0;
  for (const sign of text) value = value * 10 + (/\d/.test(sign) ? Number(sign) : digitOf(sign));
  return value;
}

function digitOf(sign: string): number {
  return sign === "两" ? 2 : sign === "零" ? 0 : (DIGITS.get(sign) ?? 0);
}
