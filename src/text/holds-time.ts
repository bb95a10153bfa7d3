/**
 * Does a text say when or how long: a date, a weekday, a clock time, "last week", 去年? A quick yes or no; which time it
 * is, `findTimes` reads.
 */
import { CHINESE_NUMBER } from "./chinese-number.ts";
import { simplify } from "./simplify.ts";
import { COUNT, MONTH, SEASON, UNIT, WEEKDAY_NAME, YEAR } from "./time/english-words.ts";

export function holdsTime(text: string): boolean {
  return ENGLISH.test(text) || MONTHS.test(text) || CHINESE.test(simplify(text));
}

const PERIOD = `(?:night|morning|afternoon|evening|weekend|summer|${SEASON}|semester|term|${WEEKDAY_NAME}|${MONTH}|${UNIT})`;
const ENGLISH = new RegExp(
  [
    `\\b(?:yesterday|today|tomorrow|tonight|ago|since|nowadays|noon|midnight|${WEEKDAY_NAME}s?|weekends?|the other (?:day|night|week))\\b`,
    `\\b(?:last|next|this|past|previous|coming|every|each|earlier this|later this) (?:few |couple of |two |three )?${PERIOD}\\b`,
    `\\b(?:${COUNT}|half an?|many|few|whole|about an?) (?:more |whole |and a half )?${UNIT}\\b`,
    `\\b(?:in|during|over|since|by|until) (?:the |early |late |mid-?)*(?:${SEASON}|(?:morning|afternoon|evening)s?)\\b`,
    "\\b(?:christmas|thanksgiving|easter|halloween|new year(?:['’]s)?|valentine['’]?s)\\b",
    // 2023-05-07, 7/5/23, 14:30, 7 pm, 10 o'clock, the 20th, the 90s.
    `\\b(?:\\d{4}-\\d{1,2}(?:-\\d{1,2})?|\\d{1,2}/\\d{1,2}(?:/\\d{2,4})?|\\d{1,2}:\\d{2}|\\d{1,2} ?(?:am|pm)|\\d{1,2} ?[ap]\\.m|the \\d{1,2}(?:st|nd|rd|th)|${YEAR}|(?:19|20)?\\d0s)\\b`,
    "o['’]clock",
  ].join("|"),
  "i",
);
/** With their capital: "may" and "march" are verbs. "May" needs a number or a word in front, "Sun" and "Sat" are left out. */
const MONTHS =
  /\b(?:January|February|March|April|June|July|August|September|October|November|December|Jan|Feb|Apr|Aug|Sept?|Oct|Nov|Dec|Mon|Tues?|Wed|Thurs?|Fri)\b|\b(?:[Ii]n|[Ss]ince|[Ll]ast|[Nn]ext|[Tt]his|[Uu]ntil|[Bb]y|[Ee]arly|[Ll]ate|of|\d{1,2}(?:st|nd|rd|th)?) May\b|\bMay \d/;

const CHINESE = new RegExp(
  [
    "[前后][天日]|[昨今明][天日晚夜早晨]|前晚|[去今明前后]年|[上下这本][一个]{0,2}(?:周|星期|礼拜|月|季度|学期|半年)|周末|月[初底中末]|年[初底末]|刚才|刚刚",
    "(?:周|星期|礼拜)[一二三四五六日天]|元旦|春节|中秋|端午|国庆|圣诞|除夕|清明|七夕|暑假|寒假|[春夏秋冬]天|凌晨|早上|清晨|上午|中午|下午|傍晚|晚上|夜里|半夜",
    `(?:${CHINESE_NUMBER}|[几半数])[多来]?个?(?:年|月|天|周|星期|礼拜|小时|钟头|分钟|秒钟?|点[钟半]?|号|日|世纪|学期)(?!级|纪)`,
    "\\d{4}[-/.年]\\d{0,2}|年代|从小|小时候|[这前后][几两些][天年]",
  ].join("|"),
  "u",
);
