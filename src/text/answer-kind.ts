/**
 * What kind of answer does a question want — a name, a time or a number — and does a text hold one of that kind? Told by
 * question words and by the look of words, so that it can be asked of every candidate of a recall.
 */
import { holdsName } from "./holds-name.ts";
import { holdsNumber } from "./holds-number.ts";
import { holdsTime } from "./holds-time.ts";
import { nounOf, type QuestionHead, questionHeads } from "./question-head.ts";
import { simplify } from "./simplify.ts";

export type AnswerKind = "name" | "time" | "number";

/** Null where the wording does not tell: "Why did …", "What does she think of …", 怎么. */
export function askedKind(question: string): AnswerKind | null {
  const heads = questionHeads(question);
  for (const head of heads) {
    const kind = kindOf(head);
    if (kind !== null) return kind;
  }
  if (heads.length === 0 && /\b(?:the|its|his|her|their) (?:exact |full )?names? of\b/i.test(question))
    return "name";
  return /\p{Script=Han}/u.test(question) ? chineseKind(simplify(question)) : null;
}

/** Whether the text holds a name, a time or a number; `ignored` are names that everybody here bears, as the speakers'. */
export function holdsKind(text: string, kind: AnswerKind, ignored: readonly string[] = []): boolean {
  if (kind === "name") return holdsName(text, ignored);
  return kind === "time" ? holdsTime(text) : holdsNumber(text);
}

function kindOf({ word, phrase, verb, rest }: QuestionHead): AnswerKind | null {
  if (word === "who" || word === "whom" || word === "whose" || word === "where") return "name";
  if (word === "when") return "time";
  if (word === "why") return null;
  const near = phrase.length > 0 ? phrase : rest;
  if (word === "how") return kindOfHow(near.join(" "), rest.join(" "));
  // "What does she do in the city?" asks for no city.
  if (phrase.length === 0 && !isBeing(verb))
    return /^(?:\S+ ){1,3}(?:name|call) /i.test(`${rest.join(" ")} `) ? "name" : ofSubject(verb, rest);
  if (phrase.length === 0 && /^(?:called|named)$/i.test(rest.at(-1) ?? "")) return "name";
  return kindOfNoun(nounOf(near), phrase.length > 0);
}

function isBeing(verb: string | undefined): boolean {
  return verb === "is" || verb === "was" || verb === "are" || verb === "were";
}

/** "Which team won?": without an auxiliary verb the noun comes first. */
function ofSubject(verb: string | undefined, rest: readonly string[]): AnswerKind | null {
  return verb === undefined ? kindOfNoun(rest[0] ?? "", true) : null;
}

/** "How many days ago" asks for a time as "how long ago" does. */
function kindOfHow(near: string, rest: string): AnswerKind | null {
  if (/^(?:long|late|early|soon|recently)\b/i.test(near)) return "time";
  if (/^many (?:days|weeks|months|years)\b/i.test(near)) {
    return /^(?:many )?(?:\S+ )?(?:ago|before|after|since|until|between|passed|elapsed)\b/i.test(
      `${near.replace(/^many \S+ ?/i, "")} ${rest}`.trim(),
    )
      ? "time"
      : "number";
  }
  return /^(?:many|much|often|frequently|old|far|tall|heavy|expensive)\b/i.test(near) ? "number" : null;
}

const TIMES =
  /^(?:year|month|date|day|time|weekday|season|decade|century|week|birthday|anniversary|deadline)$/;
const NUMBERS =
  /^(?:age|number|amount|price|cost|percentage|percent|score|size|total|distance|salary|budget|weight|height|temperature|rank|fee|rent|population)$/;
const NAMES =
  /^(?:name|nickname|surname|title|city|country|place|state|town|village|region|continent|island|street|province|county|location|hometown|destination|neighborhood|restaurant|cafe|café|bar|hotel|museum|school|university|college|company|brand|firm|bank|shop|store|band|artist|musician|singer|composer|author|writer|actor|actress|director|person|book|novel|movie|film|song|album|show|game|team|club|airline|app|website|podcast|magazine|festival|airport|language|nationality|friend|teacher|doctor)$/;

function kindOfNoun(noun: string, isAsked: boolean): AnswerKind | null {
  const plain = singular(noun.toLowerCase());
  if (TIMES.test(plain)) return "time";
  if (NUMBERS.test(plain)) return "number";
  return NAMES.test(plain) && (isAsked || plain !== "friend") ? "name" : null;
}

function singular(noun: string): string {
  return noun.replace(/ies$/, "y").replace(/([^su])s$/, "$1");
}

/** The question word that comes first decides; 几 only where no other asks, since 推荐过几个 may just mean some. */
function chineseKind(text: string): AnswerKind | null {
  const found = CHINESE.map(([kind, pattern]) => ({ kind, at: text.search(pattern) })).filter(
    ({ at }) => at !== -1,
  );
  return found.toSorted((a, b) => a.at - b.at)[0]?.kind ?? (HOW_MANY.test(text) ? "number" : null);
}

/** 好几, 这几天, 十几 and 几乎 ask nothing. */
const HOW_MANY = /(?<![好这那前后十近头茶])几(?![乎何率十百千万])/u;

/** Where two begin at one place the earlier here is meant: 多少年前 is a time, 多少年 a number. */
const CHINESE: readonly (readonly [AnswerKind, RegExp])[] = [
  [
    "time",
    /什么时候|什么时间|什么日子|啥时候|啥时间|何时|哪一?[年天月日晚]|哪个?(?:月|星期|周|季节|年份|日子)|哪段时间|几月|几号|几点|(?:星期|周|礼拜)几|多久|多长时间|(?:几|多少)(?:个?[年天周月]|个?星期|个?小时)[多来]?(?:以前|之前|前)|(?:日期|时间|生日)是(?=[？?]|$)/u,
  ],
  [
    "name",
    /(?<!无论|不管|不论)谁|哪里|哪儿|什么地方|啥地方|何处|哪一?[座家所位部本首]|哪一?个(?:地方|城市|国家|省|县|镇|人|景点|公司|学校|大学|餐厅|朋友|同事|老师|医生|品牌)|叫什么|叫啥|叫做什么|什么名字|名字[是叫]|(?:什么|哪部|哪本|哪首)(?:书|电影|歌|小说|游戏|电视剧|城市|国家|学校|公司)/u,
  ],
  ["number", /多少|多大|多高|多重|多远|第几/u],
];
