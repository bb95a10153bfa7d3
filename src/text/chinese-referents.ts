/**
 * Who and what has a Chinese text named? Persons by name or by what they are to somebody (我舅舅, 维修师傅), groups (爸妈,
 * 王刚、李梅), places, and things with a measure word (一台二手钢琴).
 */
import { findChineseEntities } from "./chinese-entities.ts";
import type { Referent, ReferentOptions } from "./referent.ts";

export function findChineseReferents(text: string, options: ReferentOptions): Referent[] {
  const names = findChineseEntities(text, [...options.speakers]);
  const kin = kinOf(text, options);
  const taken = (end: number): boolean => kin.some((one) => one.end === end);
  const persons = names.flatMap(({ text: name, kind, index }): Referent[] => {
    const isSpeaker =
      options.speakers.includes(name) && (options.speakers.length <= 2 || name === options.speaker);
    const end = index + name.length;
    const isCalled = options.speakers.includes(name) && /^[，,！!]/.test(text.slice(end));
    if (kind !== "person" || isSpeaker || isCalled || taken(end)) return [];
    return [{ text: name, kind: "person", gender: null, end, isCompany: COMPANY.test(text.slice(0, index)) }];
  });
  const opening = [...text.matchAll(OPENING)].flatMap((found): Referent[] => {
    const end = found.index + found[0].length;
    const isKnown =
      taken(end) || persons.some((one) => one.end === end) || options.speakers.includes(found[0]);
    return isKnown ? [] : [{ text: found[0], kind: "person", gender: null, end }];
  });
  const named = names.flatMap(({ text: name, kind, index }): Referent[] =>
    kind === "place" ? [{ text: name, kind: "place", gender: null, end: index + name.length }] : [],
  );
  const groups = [...kinGroups(text, options), ...persons.flatMap((first) => pairOf(text, first))];
  return [
    ...kin,
    ...persons,
    ...opening,
    ...named,
    ...places(text, named),
    ...things(text),
    ...pets(text),
    ...groups,
  ].sort((a, b) => a.end - b.end);
}

const FEMALE = /姐|妹|妈|母|奶奶|外婆|姥姥|阿姨|姑|婶|嫂|妻|老婆|媳妇|太太|女|闺蜜/u;
const MALE = /哥|弟|爸|父|爷爷|外公|姥爷|叔|舅舅|伯|丈夫|老公|儿子|男/u;
const KIN =
  "姐姐|妹妹|哥哥|弟弟|表姐|表妹|表哥|表弟|堂姐|堂妹|堂哥|堂弟|妈妈|爸爸|老妈|老爸|母亲|父亲|奶奶|爷爷|外婆|外公|姥姥|姥爷|阿姨|叔叔|舅舅|姑姑|婶婶|伯伯|嫂子|姐夫|妹夫|老公|老婆|丈夫|妻子|媳妇|太太|儿子|女儿|男朋友|女朋友|男友|女友|闺蜜|室友|同学|同事|朋友|邻居|老板|经理|领导|老师|教练|导师|房东|医生|师傅|侄子|侄女|外甥|外甥女";
/** 小雅, 阿强, 丽丽, or a family name with one or two characters that end where a name does. */
/** A family name and one or two characters, up to where a name ends. */
const FULL_NAME =
  "[赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜谢邹苏潘葛范彭鲁韦马方任袁柳史唐罗薛雷贺倪汤殷毕郝安乐于傅齐康伍余元顾孟黄穆萧尹姚邵汪毛宋庞熊纪舒屈项祝董梁杜阮蓝季强贾路江童郭梅林钟徐邱骆高夏蔡田樊胡凌霍万柯卢莫房丁邓洪石崔龚程陆翁段侯武刘龙叶白赖乔][\\p{Script=Han}]{1,2}?(?=[\\p{P}\\s]|周[一二三四五六日天]|[今明昨前后]天|[上下]个?[周月]|[一二三四五六七八九十两\\d]|也|都|在|去|来|要|会|说|想|把|是|很|和|跟|一起|最|刚|已|搬|住|养|买|给|有)";
const NAME = `(?:[小阿](?!时|学|区|心|看|声|事|姨|吃|孩)\\p{Script=Han}(?=[\\p{P}\\s]|[一二三四五六七八九十两\\d]|也|都|在|去|来|要|会|说|想|把|被|是|很|今|明|昨|前|后|上|下|周|和|跟|的|最|刚|已|搬|住|养|买|给|有)|(?!常|天|刚|慢|渐|偏|往|好|早|多|偷|悄|默|每|仅|刚|人|个|年|月)(?<twin>\\p{Script=Han})\\k<twin>(?!\\k<twin>)|${FULL_NAME})`;
const OWNED = new RegExp(`(我们?的?|[你他她]的?|和|跟|带|给|陪)(维修|装修)?(${KIN})(?!们)(${NAME})?`, "gu");
/** A family name at the head of a clause, with one or two characters up to where a name ends. */
const OPENING = new RegExp(`(?<=^|[，。！？；、\\s])(?:${FULL_NAME})`, "gu");
const COMPANY = /(?:我[^，。！？]{0,8}[和跟与同]|^[和跟与同])$/u;

function kinOf(text: string, { speaker, speakers }: ReferentOptions): Referent[] {
  return [...text.matchAll(OWNED)].flatMap((found): Referent[] => {
    const [whole, owner = "", more = "", noun = "", name] = found;
    const end = found.index + whole.length;
    if (name !== undefined && speakers.includes(name)) return [];
    const gender = FEMALE.test(noun) ? "female" : MALE.test(noun) ? "male" : null;
    const isCompany = /^[和跟]$/.test(owner) || COMPANY.test(text.slice(0, found.index));
    const isOwn = /^我的?$/.test(owner) || /^[和跟带陪给]$/.test(owner);
    const isHired = /师傅|医生|老师|教练|房东|经理|老板|领导/.test(noun) && !owner.startsWith("我");
    const said =
      name ?? (isHired ? more + noun : isOwn && speaker !== "" ? `${speaker}的${more}${noun}` : "");
    return [{ text: said, kind: "person", gender, end, isCompany }];
  });
}

const PET = new RegExp(`(?:狗狗?|猫咪?|兔子|仓鼠|鹦鹉|乌龟)(?:叫)?(?<name>${NAME})`, "gu");

/** 我的狗豆豆 is 它. */
function pets(text: string): Referent[] {
  return [...text.matchAll(PET)].flatMap((found): Referent[] => {
    const end = found.index + found[0].length;
    return [{ text: found.groups?.name ?? "", kind: "thing", gender: null, end }];
  });
}

/** Places that are called by what they are: which one is not told, so they are in the way. */
const COMMON_PLACE =
  /饭店|餐厅|饭馆|火锅店|咖啡馆|咖啡店|书店|商店|超市|商场|公园|博物馆|美术馆|图书馆|电影院|剧院|体育馆|健身房|医院|学校|大学|酒店|宾馆|民宿|机场|车站|海边|海滩|动物园|植物园|游乐园|寺|古镇|村子?|小区/gu;

function places(text: string, named: readonly Referent[]): Referent[] {
  const is = (end: number): boolean => named.some((one) => one.end === end);
  const common = [...text.matchAll(COMMON_PLACE)].flatMap(({ 0: word, index }): Referent[] => {
    const end = index + word.length;
    return is(end) ? [] : [{ text: "", kind: "place", gender: null, end }];
  });
  const gone = [...text.matchAll(GONE_TO)].flatMap(({ 0: name, index }): Referent[] => {
    const end = index + name.length;
    return is(end) || common.some((one) => one.end === end)
      ? []
      : [{ text: name, kind: "place", gender: null, end }];
  });
  return [...common, ...gone];
}

/** 去浦东看房: where one goes to do something is a place, known by that name or not. */
const GONE_TO =
  /(?<=[去到飞])(?![一了过那这哪他她你我们年])\p{Script=Han}{2,3}?(?=[看玩见找买吃办]|出差|旅游|旅行|上学|上班|工作|开会|度假|滑雪|爬山|参加|读书|留学)/gu;

const THING =
  /(?:买|送|给|做|养|写|租|借|捡|收到|收养|画|看中|订|换|开始|报|有)[了过]?(?:我|你|他|她)?一[台只辆本部套把条件张幅双份盆支架艘款副枚顶首座间篇](?<noun>[\p{Script=Han}A-Za-z]{1,8}?)(?=[，。！？,.!?；]|$)/gu;

function things(text: string): Referent[] {
  return [...text.matchAll(THING)].flatMap((found): Referent[] => {
    const noun = found.groups?.noun?.replace(/^[^的]{1,6}的(?=\p{Script=Han}{2})/u, "");
    if (noun === undefined) return [];
    return [{ text: noun, kind: "thing", gender: null, end: found.index + found[0].length }];
  });
}

const GROUP =
  /我(的|在\p{Script=Han}{2,4}的)?(爸妈|父母|孩子们|同事们|朋友们|邻居们|学生们|爷爷奶奶|外公外婆|双胞胎)/gu;

function kinGroups(text: string, { speaker }: ReferentOptions): Referent[] {
  const kin = [...text.matchAll(GROUP)].map((found): Referent => {
    const end = found.index + found[0].length;
    return { text: `${speaker}${found[1] ?? "的"}${found[2]}`, kind: "group", gender: null, end };
  });
  return speaker === "" ? [] : kin;
}

const SECOND = new RegExp(`^[、和跟](?<name>${NAME})`, "u");

/** 王刚、李梅: a group beside themselves; the second is a person, too. */
function pairOf(text: string, first: Referent): Referent[] {
  const found = SECOND.exec(text.slice(first.end));
  const name = found?.groups?.name;
  if (found === null || name === undefined) return [];
  const end = first.end + found[0].length;
  const { isCompany } = first;
  return [
    { text: name, kind: "person", gender: null, end },
    { text: `${first.text}和${name}`, kind: "group", gender: null, end, isCompany },
  ];
}
