/**
 * Which attributes are the same under two names, and which of them never change? "Alice's city is Paris" and "Alice lives
 * in Berlin" speak of one thing; a birthday that differs is a contradiction, an employer that differs is news.
 */

const SYNONYMS: Readonly<Record<string, string>> = {
  residence:
    "home|home town now|city|city of residence|address|place of residence|location|住址|住处|住所|地址|居住地|所在地|所在城市|城市|现居地",
  employer: "company|workplace|place of work|公司|单位|工作单位|雇主|东家",
  occupation: "job|profession|work|role|job title|职业|工作|职位|岗位",
  age: "年龄|岁数|年纪",
  birthday: "date of birth|birth date|birthdate|生日|出生日期",
  birthplace: "place of birth|出生地",
  "birth year": "year of birth|出生年份",
  origin: "hometown|home town|home country|native place|家乡|老家|籍贯|故乡|祖籍",
  spouse: "wife|husband|妻子|丈夫|老公|老婆|爱人|太太|先生|配偶",
  partner: "girlfriend|boyfriend|fiancé|fiancée|fiance|fiancee|男朋友|女朋友|男友|女友|未婚夫|未婚妻|对象",
  school: "university|college|学校|大学",
  major: "field of study|subject|专业",
  name: "full name|名字|姓名|名称",
  nickname: "昵称|小名|外号|绰号",
  phone: "phone number|telephone number|mobile|mobile number|number|电话|电话号码|手机号|手机号码|手机",
  email: "e-mail|email address|mail address|邮箱|电子邮箱|邮件地址",
  car: "vehicle|车|汽车|车子",
  mother: "mom|mum|mother's name|妈妈|母亲|妈",
  father: "dad|father's name|爸爸|父亲|爸",
  boss: "manager|supervisor|老板|上司|领导|经理",
  "blood type": "blood group|血型",
  "native language": "mother tongue|first language|母语",
  nationality: "citizenship|国籍",
  "marital status": "relationship status|婚姻状况|婚姻状态|感情状况",
  hobby: "hobbies|爱好|兴趣",
  children: "child|kids|kid|孩子|小孩",
};

/** Attributes of which there is one for life. */
const LASTING: ReadonlySet<string> = new Set([
  "birthday",
  "birthplace",
  "birth year",
  "origin",
  "mother",
  "father",
  "blood type",
  "native language",
]);

const canonical: ReadonlyMap<string, string> = new Map(
  Object.entries(SYNONYMS).flatMap(([name, others]) =>
    others.split("|").map((other): [string, string] => [other, name]),
  ),
);

/** "Favorite Color" → "favourite colour"; 工作单位 → "employer". */
export function attributeName(words: string): string {
  const plain = words
    .toLowerCase()
    .replace(/^(?:the|current|present|new|own|目前|现在|当前|最新)\s*/u, "")
    .replace(/\bfavorite\b/g, "favourite")
    .replace(/\bcolor\b/g, "colour")
    .trim();
  return canonical.get(plain) ?? plain;
}

/** Whether everybody has it, or may have: age, residence, boss. */
export function isListed(attribute: string): boolean {
  return Object.hasOwn(SYNONYMS, attribute);
}

export function isLasting(attribute: string): boolean {
  return LASTING.has(attribute);
}

/** Roles that only one person has towards another: "Bob is Alice's husband" says who Alice's husband is. */
export const UNIQUE_ROLES =
  "wife|husband|spouse|mother|mom|mum|father|dad|boss|manager|supervisor|girlfriend|boyfriend|fiancée?|partner";
export const CHINESE_UNIQUE_ROLES =
  "妻子|丈夫|老公|老婆|太太|妈妈|母亲|爸爸|父亲|老板|上司|经理|男朋友|女朋友|男友|女友|未婚夫|未婚妻";
