/**
 * Does a text hold a name? In English a capital letter inside a sentence, or a known place at its start; in Chinese a
 * known place, company or brand, a family name with a title or given name, a name in front of 大学, 公园 and the like; in
 * both a title in quotes. Not the speakers' names, which every turn of theirs may bear. A quick yes or no; which names
 * they are and of what kind, `findEntities` tells.
 */
import { DOES, INTRODUCED, REACH, TITLED } from "./chinese-entities.ts";
import {
  CHINESE_BRANDS,
  CHINESE_COMPANIES,
  CHINESE_PLACES,
  EVENT_ENDINGS,
  GIVEN_NAME_CHARACTERS,
  ORGANISATION_ENDINGS,
  PLACE_ENDINGS,
  SURNAMES,
} from "./lexicon/names-chinese.ts";
import { KNOWN_PLACES, NOT_NAMES } from "./lexicon/names-english.ts";
import { simplify } from "./simplify.ts";

export function holdsName(text: string, ignored: readonly string[]): boolean {
  const own = new Set(
    ignored.flatMap((name) => [name, ...name.split(/\s+/u)]).map((name) => simplify(name.toLowerCase())),
  );
  return (
    holdsTitle(text, own) ||
    holdsCapital(text, own) ||
    (HAN.test(text) && holdsChineseName(simplify(text), own))
  );
}

const HAN = /\p{Script=Han}/u;
const TITLE =
  /《([^》\n]{1,40})》|[“「『]([\p{Script=Han}\p{Lu}][^”」』\n]{1,40})[”」』]|(?<![\p{L}\p{N}])"([\p{Script=Han}\p{Lu}][^"\n]{1,40})"/gu;

/** A quote that ends like a sentence is something said. */
function holdsTitle(text: string, own: ReadonlySet<string>): boolean {
  if (!/[《“「『"]/.test(text)) return false;
  for (const [, book, curly, straight] of text.matchAll(TITLE)) {
    const title = book ?? curly ?? straight ?? "";
    if (book !== undefined || !/[。！!?？.…，]$/u.test(title))
      if (!own.has(simplify(title.toLowerCase()))) return true;
  }
  return false;
}

const CAPITALISED = /\p{Lu}[\p{L}\p{N}\p{M}]+/gu;
const TIMES =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|christmas|thanksgiving|halloween|easter)$/;

function holdsCapital(text: string, own: ReadonlySet<string>): boolean {
  return capitalNames(text, own).next().done !== true;
}

/** The words of a text that a capital letter marks as a name, or part of one; each as often as it stands there. */
export function* capitalNames(text: string, own: ReadonlySet<string>): Generator<string, void> {
  for (const { 0: word, index } of text.matchAll(CAPITALISED)) {
    const isWhole =
      index === 0 || !/[\p{L}\p{N}'’]/u.test(text.charAt(index - 1)) || HAN.test(text.charAt(index - 1));
    if (!isWhole) continue;
    const plain = word.toLowerCase();
    if (NOT_NAMES.has(plain) || TIMES.test(plain) || own.has(plain)) continue;
    // A long word in capitals is shouted.
    if (word.length > 6 && word === word.toUpperCase()) continue;
    if (KNOWN_PLACES.has(plain) || !beginsSentence(text, index)) yield word;
  }
}

/** Whether what stands before the word ends a sentence, a line, a speaker's name or an emoji. */
function beginsSentence(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /[ \t"“‘'(（*_[]/.test(text.charAt(before))) before--;
  if (before < 0) return true;
  const sign = text.charAt(before);
  if (sign === ".")
    return !/\b(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Ft|[A-Z])$/.test(text.slice(Math.max(0, before - 5), before));
  return !/[\p{L}\p{N}\p{M},;'’”")）&/%+、，-]/u.test(sign);
}

/** The names that are known, by their first character. */
const KNOWN: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  [...CHINESE_PLACES, ...CHINESE_COMPANIES, ...CHINESE_BRANDS],
  (name) => name.charAt(0),
);

function holdsChineseName(text: string, own: ReadonlySet<string>): boolean {
  for (let at = 0; at < text.length; at++) {
    if (!FIRST.has(text.charCodeAt(at))) continue;
    const sign = text.charAt(at);
    const isKnown = KNOWN.get(sign)?.some((name) => text.startsWith(name, at) && !own.has(name));
    if (isKnown === true || endsName(text, at, sign)) return true;
    const length = personLength(text, at, sign);
    if (length > 0 && !own.has(text.slice(at, at + length))) return true;
  }
  return false;
}

const LONG_SURNAME = new RegExp(
  `[${[...SURNAMES]
    .filter((name) => name.length > 1)
    .map((name) => name.charAt(0))
    .join("")}]`,
);

/** How many characters of a person's name begin here: 王老师, 欧阳医生, 小李, 陈雨轩. */
function personLength(text: string, at: number, sign: string): number {
  const isFamiliar = sign === "小" || sign === "老" || sign === "阿";
  const surname =
    LONG_SURNAME.test(sign) && SURNAMES.has(text.slice(at, at + 2)) ? 2 : SURNAMES.has(sign) ? 1 : 0;
  if (!isFamiliar && surname === 0) return 0;
  const rest = text.slice(at, at + REACH);
  const title = surname === 0 ? null : TITLED.exec(rest.slice(surname));
  if (title !== null) return surname + title[0].length;
  const before = text.slice(Math.max(0, at - REACH), at);
  if (isFamiliar) {
    const isName =
      SURNAMES.has(rest.charAt(1)) || (sign !== "老" && GIVEN_NAME_CHARACTERS.has(rest.charAt(1)));
    return isName && DOES.test(rest.slice(2)) && INTRODUCED.test(before) ? 2 : 0;
  }
  const isGiven = (place: number): boolean => GIVEN_NAME_CHARACTERS.has(rest.charAt(place));
  const isFull = isGiven(surname) && isGiven(surname + 1) && DOES.test(rest.slice(surname + 2));
  if (isFull && INTRODUCED.test(before)) return surname + 2;
  return CALLED.test(before) && DOES.test(rest.slice(surname + 1)) ? surname + 1 : 0;
}

/** 高兴 and 安静 are names only where somebody is called so. */
const CALLED = /(?:我叫|[他她]叫|名叫|名字叫|名字是|叫做)$/;

/** 大学, 公园, 音乐节, by their first character; 山 and 路 end too many common words. */
const ENDINGS: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  [PLACE_ENDINGS, ORGANISATION_ENDINGS, EVENT_ENDINGS]
    .flatMap((endings) => endings.split("|"))
    .filter((ending) => ending.length > 1),
  (ending) => ending.charAt(0),
);
/** Two characters that can belong to a name stand before an ending: not 一家公司, 附近的公园, 我们学校. */
const BEFORE_ENDING =
  /^[^\P{Script=Han}的了着过在去到从往一二两三四五几这那个家所座条间我你他她们是有和跟与及很大小新老好某每各哪什么来回想看逛爬坐住进出开离读上下里外附近旁边当地私人]{2}$/u;

function endsName(text: string, at: number, sign: string): boolean {
  const isEnding = ENDINGS.get(sign)?.some((ending) => text.startsWith(ending, at)) === true;
  return isEnding && at > 1 && BEFORE_ENDING.test(text.slice(at - 2, at));
}

/** With what a name or its ending can begin: most characters need no closer look. */
const FIRST: ReadonlySet<number> = new Set(
  [...KNOWN.keys(), ...ENDINGS.keys(), ...SURNAMES, ..."小老阿"].map((text) => text.charCodeAt(0)),
);
