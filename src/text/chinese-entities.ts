/**
 * Which names does a Chinese text hold? Titles in 《》; names that a gazetteer knows; words in front of an ending that
 * tells the kind (大学, 公司, 路, 音乐节); persons by family name, form of address (王老师, 小李) and characters of given names.
 */
import type { Entity, EntityKind } from "./entity.ts";
import {
  CHINESE_BRANDS,
  CHINESE_COMPANIES,
  CHINESE_PLACES,
  EVENT_ENDINGS,
  GIVEN_NAME_CHARACTERS,
  ORGANISATION_ENDINGS,
  PERSON_TITLES,
  PLACE_ENDINGS,
  SURNAMES,
} from "./lexicon/names-chinese.ts";
import { simplify } from "./simplify.ts";
import { CHINESE_STOP_WORDS } from "./stop-words.ts";
import { splitWords, type Word } from "./words.ts";

export function findChineseEntities(text: string, persons: readonly string[]): Entity[] {
  const plain = simplify(text);
  const taken: Entity[] = [];
  const add = (index: number, length: number, kind: EntityKind): void => {
    const end = index + length;
    if (taken.some((other) => index < other.index + other.text.length && other.index < end)) return;
    taken.push({ text: text.slice(index, end), kind, index });
  };
  for (const match of plain.matchAll(/《([^》\n]{1,40})》/g))
    add(match.index + 1, match[1]?.length ?? 0, "product");
  for (const name of persons) {
    if (!/\p{Script=Han}/u.test(name)) continue;
    for (const match of plain.matchAll(new RegExp(simplify(name).replace(/[^\p{L}\p{N}]/gu, "."), "gu")))
      add(match.index, name.length, "person");
  }
  const words = splitWords(plain);
  addEvents(plain, words, add);
  addByEnding(words, ORGANISATION_ENDINGS, "organisation", add);
  addByEnding(words, PLACE_ENDINGS, "place", add);
  for (const { text: word, index } of words) {
    if (CHINESE_COMPANIES.has(word)) add(index, word.length, "organisation");
    else if (CHINESE_PLACES.has(word)) add(index, word.length, "place");
    else if (CHINESE_BRANDS.has(word)) add(index, word.length, "product");
  }
  addPersons(plain, words, add);
  return taken;
}

type Add = (index: number, length: number, kind: EntityKind) => void;

/** Words that stand in front of a place or an institution without being part of its name. */
const NOT_IN_NAME: ReadonlySet<string> = new Set(
  `家 所 座 条 想 来 回 新 大 小 老 公 开 附近 旁边 当地 私人 工作 读 考上 毕业于 进入 离开 参观 逛 爬 坐 住 今天 昨天 明天 喜欢 比如 例如 还有 包括 觉得 攀登 成功 看 看看
  随时 掌握 最近 当前 现任 其他 其它 恭喜 学习 申请 其实 互联网 电影 音乐 制作 同时 开个 乐队 成立 加入 创办 经营 工作于 任职于 就读于 很多 许多 不少 老师 医生 先生 女士 同学 朋友 妈妈
  爸爸 公司 学校 国家 地方 外国 中外 高级 普通 大型 小型 知名 著名 美丽 附属`
    .split(/\s+/)
    .filter((word) => word !== ""),
);
const MOST_WORDS_BEFORE = 2;

/** A word, with up to two before it, that ends in one of the endings: 北京|大学, 中山|路, 上海|交通|大学. */
function addByEnding(words: readonly Word[], endings: string, kind: EntityKind, add: Add): void {
  const ending = new RegExp(`(?:${endings})$`);
  for (const [i, word] of words.entries()) {
    const found = ending.exec(word.text)?.[0];
    if (found === undefined) continue;
    const own = word.text.length - found.length;
    // 爬山 and 线路 end like names but are common words; 峨眉山 is long enough to be one.
    if (found.length === 1 && (own === 1 || /[城都门超]市$/.test(word.text))) continue;
    let first = i;
    while (first > 0 && i - first < MOST_WORDS_BEFORE && joins(words, first - 1)) first--;
    const start = words[first];
    if (start === undefined) continue;
    const length = word.index + word.text.length - start.index;
    if (length - found.length >= (found.length === 1 ? 2 : 1)) add(start.index, length, kind);
  }
}

/** An ending that may be cut into several words (马拉|松), with up to two words before it: 北京|马拉松, 草莓|音乐节. */
function addEvents(plain: string, words: readonly Word[], add: Add): void {
  for (const { index, 0: ending } of plain.matchAll(new RegExp(EVENT_ENDINGS, "g"))) {
    const last = words.findIndex((word) => word.index + word.text.length > index);
    let first = last;
    while (first > 0 && last - first < MOST_WORDS_BEFORE && joins(words, first - 1)) first--;
    const start = words[first]?.index ?? index;
    if (start < index) add(start, index + ending.length - start, "event");
  }
}

function joins(words: readonly Word[], at: number): boolean {
  const word = words[at];
  const next = words[at + 1];
  if (word === undefined || next === undefined || word.index + word.text.length !== next.index) return false;
  if (NOT_IN_NAME.has(word.text) || CHINESE_STOP_WORDS.has(word.text)) return false;
  return (
    /^\p{Script=Han}+$/u.test(word.text) &&
    !/^[一二两三几每某这那各]|[了着过的在到去往从于是]$/.test(word.text)
  );
}

/** How far around a name the words that make it one are looked for. */
export const REACH = 12;
export const TITLED = new RegExp(`^(?:${PERSON_TITLES})`);
/** Words behind a bare name of two characters that only a person can be followed by. */
export const DOES =
  /^(?:说|问|告诉|觉得|喜欢|爱|想|和|跟|与|同|去|来|在|是|有|也|都|的|给|送|请|约|今年|昨天|今天|明天|很|最近|已经|打算|决定|，|。|、|：|！|？|$)/;
const NAMED = /(?:叫|名叫|名字是|朋友|同事|同学|认识|遇到|见到)$/;
export const INTRODUCED =
  /(?:叫|名叫|名字是|我是|朋友|同事|同学|姓名|找|和|跟|与|给|向|对|问|遇到|见到|认识|请|约|帮|陪|，|。|、|：|“|^)$/;

function addPersons(text: string, words: readonly Word[], add: Add): void {
  for (const { index } of words) {
    const rest = text.slice(index, index + REACH);
    const familiar = /^[小老阿][\p{Script=Han}](?![\p{Script=Han}]?(?:时候|孩|学|师))/u.exec(rest);
    if (familiar !== null && isFamiliar(rest, text.slice(Math.max(0, index - REACH), index))) {
      add(index, 2, "person");
      continue;
    }
    const surname = SURNAMES.has(rest.slice(0, 2)) ? rest.slice(0, 2) : rest.charAt(0);
    if (!SURNAMES.has(surname)) continue;
    const title = TITLED.exec(rest.slice(surname.length));
    if (title !== null) {
      add(index, surname.length + title[0].length, "person");
      continue;
    }
    const length = givenNameLength(
      rest.slice(surname.length),
      text.slice(Math.max(0, index - REACH), index),
      words,
      index + surname.length,
    );
    if (length > 0) add(index, surname.length + length, "person");
  }
}

/** 小明, 老王, 阿强: a family name or a name character, in a place where a person can stand. */
function isFamiliar(rest: string, before: string): boolean {
  const sign = rest.charAt(1);
  const isName = rest.startsWith("老")
    ? SURNAMES.has(sign)
    : SURNAMES.has(sign) || GIVEN_NAME_CHARACTERS.has(sign);
  return isName && DOES.test(rest.slice(2)) && INTRODUCED.test(before);
}

/** Two characters of given names, or one where the words around make a person likely; 0 if it is no name. */
function givenNameLength(rest: string, before: string, words: readonly Word[], at: number): number {
  const isGiven = (sign: string): boolean => GIVEN_NAME_CHARACTERS.has(sign);
  const ends = (length: number): boolean =>
    words.some((word) => word.index + word.text.length === at + length);
  const isInside = words.some((word) => word.index < at - 1 && word.index + word.text.length > at);
  if (isInside) return 0;
  // 关心, 安全, 夏天: a word of the dictionary is a name only where somebody is introduced by it.
  const isWord = words.some((word) => word.index === at - 1 && word.text.length === 2);
  if (isWord && !NAMED.test(before)) return 0;
  if (isGiven(rest.charAt(0)) && isGiven(rest.charAt(1)) && ends(2)) {
    return DOES.test(rest.slice(2)) || INTRODUCED.test(before) ? 2 : 0;
  }
  return isGiven(rest.charAt(0)) && ends(1) && DOES.test(rest.slice(1)) && INTRODUCED.test(before) ? 1 : 0;
}
