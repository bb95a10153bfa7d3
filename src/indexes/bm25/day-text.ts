/**
 * The day on which something happened as people would write it, in English and in Chinese: its words can be asked for. A
 * Chinese month is written in two ways, 4月 and 四月, which have no word in common.
 */
const MONTHS = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
const CHINESE_MONTHS = "一 二 三 四 五 六 七 八 九 十 十一 十二".split(" ");

export function dayText(moment: number): string {
  const day = new Date(moment);
  const month = day.getUTCMonth();
  return `${day.getUTCDate()} ${MONTHS.format(day)} ${day.getUTCFullYear()} ${month + 1}月 ${CHINESE_MONTHS[month]}月`;
}
