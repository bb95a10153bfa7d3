/**
 * Who has which attribute with which value? "Alice's city is Paris", "Alice lives in Paris", 小明的职业是医生, 小明住在
 * 北京: statements that two of cannot both hold if they differ (S1-24, and the variants people use). An opinion is an
 * attribute of its object: "Alice likes tea" gives (alice, opinion of tea, positive), so liking coffee does not clash.
 */
import { chineseNumber } from "../../text/chinese-number.ts";
import { splitSentences } from "../../text/sentences.ts";
import { simplify } from "../../text/simplify.ts";
import { CHINESE_PATTERNS } from "./attribute-chinese.ts";
import { ENGLISH_PATTERNS } from "./attribute-english.ts";
import { attributeName } from "./attribute-names.ts";
import { contentWords, plainText } from "./statement.ts";

export interface AttributeFact {
  /** Lower case, without articles. The first person is the speaker, where known. */
  readonly entity: string;
  /** "residence", "favourite colour", "opinion of green tea". */
  readonly attribute: string;
  /** As it stands in the text; "positive" or "negative" for an opinion. */
  readonly value: string;
  /** The text says that it is not so. */
  readonly negated: boolean;
  /** The part of the text that says so. */
  readonly clause: string;
}

export function attributeFacts(text: string, speaker?: string): AttributeFact[] {
  return splitSentences(text).flatMap((sentence) => {
    const facts: AttributeFact[] = [];
    for (const clause of clausesOf(sentence.text, speaker)) {
      const subject = facts.at(-1)?.entity;
      const own = attributeFact(clause, speaker);
      // "… and works at Google": who does is said before.
      const fact =
        own ?? (subject === undefined ? undefined : attributeFact(joined(subject, clause), speaker));
      if (fact !== undefined) facts.push({ ...fact, clause });
    }
    return facts;
  });
}

/** Cut only behind what states something by itself: "and" also stands in names. */
function clausesOf(sentence: string, speaker: string | undefined): string[] {
  if (/\p{Script=Han}/u.test(sentence)) return sentence.split(/[;；，,]/);
  const clauses: string[] = [];
  let start = 0;
  for (const { 0: gap, index } of sentence.matchAll(ENGLISH_CLAUSE)) {
    const clause = sentence.slice(start, index);
    const isWhole = attributeFact(clause, speaker) !== undefined || clauses.length > 0 || gap.startsWith(";");
    if (!isWhole) continue;
    clauses.push(clause);
    start = index + gap.length;
  }
  return [...clauses, sentence.slice(start)];
}

const ENGLISH_CLAUSE =
  /;|,?\s+(?:and|but)\s+(?=\p{Lu}\p{L}+\s|(?:(?:now|also|still)\s+)?(?:works?|lives?|is|has|likes?|loves?|hates?|moved|studies|enjoys?|dislikes?)\b)/gu;

function joined(subject: string, clause: string): string {
  return /\p{Script=Han}/u.test(clause) ? `${subject}${clause}` : `${subject} ${clause.trim()}`;
}

/** The attribute that one clause states; undefined if it states none that we know. */
export function attributeFact(clause: string, speaker?: string): AttributeFact | undefined {
  const isChinese = /\p{Script=Han}/u.test(clause);
  const text = isChinese ? trimChinese(clause) : trimEnglish(clause);
  for (const one of isChinese ? CHINESE_PATTERNS : ENGLISH_PATTERNS) {
    const groups = one.pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    const entity = entityOf(groups.entity ?? "", speaker);
    const value = valueFrom(groups.value ?? "");
    if (entity === undefined || value === "") continue;
    const denied = groups.not !== undefined && groups.not !== "";
    if (one.opinion !== undefined) {
      const isPositive = (one.opinion === "positive") !== denied;
      const attribute = `opinion of ${objectOf(value)}`;
      return { entity, attribute, value: isPositive ? "positive" : "negative", negated: false, clause };
    }
    const attribute = one.attribute ?? attributeName(groups.attribute ?? "");
    if (attribute === "" || attribute.length > 60) continue;
    return { entity, attribute: refined(attribute, value), value, negated: denied, clause };
  }
  return undefined;
}

/** Two facts with the same key speak of the same thing; the forms of a word do not matter. */
export function attributeKey({ entity, attribute }: AttributeFact): string {
  return `${entity}: ${[...contentWords(attribute)].join(" ") || attribute}`;
}

/** Whether two values are the same but for form: "Thirty", 30; "a Paris", "paris". */
export function isSameValue(a: string, b: string): boolean {
  const [first, second] = [plainValue(a), plainValue(b)];
  return first === second;
}

/** Whether one value says what the other says and more: "the old town of Paris" of "Paris". */
export function isMorePrecise(value: string, than: string): boolean {
  const [words, fewer] = [contentWords(value), contentWords(than)];
  if (words.size > fewer.size && fewer.size > 0 && [...fewer].every((word) => words.has(word))) return true;
  const [long, short] = [plainText(value), plainText(than)];
  return /\p{Script=Han}/u.test(short) && long.length > short.length && long.includes(short);
}

function plainValue(value: string): string {
  const plain = plainText(value).replace(/^(?:an?|the) /u, "");
  const number = chineseNumber(plain) ?? ENGLISH_NUMBERS.get(plain.replaceAll(" ", "-"));
  return number === undefined ? plain : String(number);
}

/** "drinking tea", 喝茶 → "tea", 茶: liking a drink and liking to drink it are one thing. */
function objectOf(value: string): string {
  const plain = plainText(value);
  const bare = plain
    .replace(/ (?:very much|so much|a lot|the most|best|most|at all)$/u, "")
    .replace(/^(?:to |the |an? |his |her |their |my )+/u, "")
    .replace(
      /^(?:drink(?:ing)?|eat(?:ing)?|watch(?:ing)?|listen(?:ing)? to|play(?:ing)?|read(?:ing)?) (?=\S)/u,
      "",
    )
    .replace(/^[吃喝看听玩打踢](?=\p{Script=Han}{1,})/u, "");
  return bare || plain;
}

/** "born in 1990" names a year, not a place. */
function refined(attribute: string, value: string): string {
  if (attribute !== "birthplace") return attribute;
  if (/^(?:\d{4}|\d{4}年)$/.test(value)) return "birth year";
  return /\d/.test(value) ? "birthday" : attribute;
}

const ENGLISH_NUMBERS: ReadonlyMap<string, number> = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, value): [string, number] => [word, value])
    .concat(tens()),
);

function tens(): [string, number][] {
  const units = "one two three four five six seven eight nine".split(" ");
  return "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").flatMap((word, place) => {
    const value = (place + 2) * 10;
    const more = units.map((unit, i): [string, number] => [`${word}-${unit}`, value + i + 1]);
    return [[word, value], ...more] satisfies [string, number][];
  });
}

/** Words that stand for somebody else; without the text around them nobody knows who. */
const PRONOUNS: ReadonlySet<string> = new Set(
  "it that this there here what who he she they we let how where when his her their its our 他 她 它 他们 她们 它们 我们 你们 这 那 谁 什么 这里 那里".split(
    " ",
  ),
);
const FIRST_PERSON: ReadonlySet<string> = new Set(["i", "my", "me", "我", "本人"]);
const MAX_ENTITY = 60;

function entityOf(words: string, speaker: string | undefined): string | undefined {
  const plain = plainText(words)
    .replace(/^(?:the|a|an|my friend|mr|mrs|ms|dr) /u, "")
    .replace(/(?:现在|目前|今年|去年|后来|已经|最近|一直|其实|如今|当时|以前|从前|也|都|还|就|又)+$/u, "")
    .replace(
      /\d{4}年(?:\d{1,2}月)?(?:\d{1,2}[日号])?(?:[春夏秋冬]天|[初底中]|那一周|的周末|上午|下午|晚上)?$/u,
      "",
    )
    .replace(/^(?:但是?|而且|不过|因为|所以|其实|现在|目前|今年|最近|后来|听说|据说)+/u, "")
    .trim();
  if (plain === "" || plain.length > MAX_ENTITY || PRONOUNS.has(plain)) return undefined;
  // One character is a part of a word, but for "I" and "you".
  if (/^(?![我你您])\p{Script=Han}$/u.test(plain)) return undefined;
  if (FIRST_PERSON.has(plain)) {
    if (speaker !== undefined) return plainText(speaker);
    return /\p{Script=Han}/u.test(plain) ? "我" : "i";
  }
  return plain;
}

function valueFrom(words: string): string {
  return words
    .replace(TRAILING_CLAUSE, "")
    .replace(TRAILING_TIME, "")
    .replace(/^(?:现在|目前)|(?:了|啦|呢|吧|啊)+$/gu, "")
    .replace(/^[\s"'“”‘’「」]+|[\s"'“”‘’「」]+$/gu, "");
}

const TRAILING_CLAUSE =
  /,?\s+(?:but|because|although|though|while|whereas|so that|and (?:also|then|now|he|she|they|i|[a-z]+s)|when|after|before)\s.*$/iu;

/** When it is so does not belong to what is so. */
const TRAILING_TIME =
  /\s+(?:now|currently|right now|at the moment|at present|nowadays|these days|today|again|as well|too|instead|since .+|in (?:\w+ )?\d{4}|on \d{1,2} \w+ \d{4}|in the week of .+|any ?more|any longer)$/iu;

function trimEnglish(clause: string): string {
  return clause
    .trim()
    .replace(/[’]/g, "'")
    .replace(/\bI'm\b/giu, "I am")
    .replace(/\b(we|you|they)'re\b/giu, "$1 are")
    .replace(/[.!?…\s]+$/u, "")
    .replace(LEADING_ENGLISH, "");
}

const LEADING_ENGLISH =
  /^(?:(?:(?:on|in|at|as of|since|by|after|before|during) [^,]{1,40}|now|currently|actually|recently|today|these days|nowadays|also|and|but|so|well|yes|no|oh|by the way),?\s+)(?=[\p{L}])/iu;

function trimChinese(clause: string): string {
  return simplify(clause)
    .trim()
    .replace(/[。！？，,.!?…\s]+$/u, "")
    .replace(/^(?:[^，,]{0,16}(?:年|月|日|号|天|时候|以来|起|现在|目前|最近|后来|其实|对了))[，,]\s*/u, "")
    .replace(/^\d{4}年(?:\d{1,2}月)?(?:\d{1,2}[日号])?(?:起|开始)?/u, "")
    .replace(/^(?:现在|目前|如今|已经|后来|最近|其实|还|也|又)+/u, "");
}
