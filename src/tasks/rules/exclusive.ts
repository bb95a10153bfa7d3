/**
 * May two values of one attribute hold at once? There is one birthday and one capital, but somebody may have two sisters
 * and many plans; and "My job is stressful" tells how it is, not what it is. To retire what is still true is worse than
 * to keep what is not: only values that shut each other out do, all others need words of change ("now", 现在).
 */
import { scoreSentiment } from "../../text/sentiment.ts";
import { CHINESE_PATTERNS } from "./attribute-chinese.ts";
import { ENGLISH_PATTERNS } from "./attribute-english.ts";
import type { AttributeFact } from "./attribute-fact.ts";
import { isListed } from "./attribute-names.ts";

export function areExclusive(fact: AttributeFact, other: AttributeFact): boolean {
  if (fact.attribute.startsWith("opinion of ")) return true;
  const counts = COUNT.test(fact.value) && COUNT.test(other.value);
  if (isOneOfSeveral(fact.entity) || (isSeveral(fact.attribute) && !counts)) return false;
  return [fact, other].every(namesOne);
}

/** What people have several of: "best friend" and 好朋友 end with it. */
const SEVERAL_ENGLISH =
  /(?:^|[ '])(?:sister|brother|sibling|twin|son|daughter|child|children|kid|grand(?:son|daughter|child)|friend|cousin|uncle|aunt|nephew|niece|neighbou?r|colleague|co-?worker|classmate|roommate|student|pet|dog|cat|hobby|interest|passion|dream|goal|aim|plan|wish|hope|idea|skill|talent|strength|weakness|problem|challenge|worry|reason|advice|tip|part|thing|moment|memory|bit|time|day|week|weekend|year|trip|project|class|allergy)s?$/u;
const SEVERAL_CHINESE =
  /(?:姐姐?|妹妹?|哥哥?|弟弟?|儿子|女儿|孩子|孙子|孙女|朋友|闺蜜|表哥|表姐|表弟|表妹|叔叔|阿姨|舅舅|姑姑|侄子|侄女|邻居|同事|同学|室友|学生|宠物|狗|猫|爱好|兴趣|梦想|目标|计划|打算|愿望|希望|想法|主意|特长|技能|优点|缺点|问题|困难|挑战|原因|理由|建议|部分|地方|时刻|回忆|事情?|日子|项目|课)$/u;

function isSeveral(name: string): boolean {
  return SEVERAL_ENGLISH.test(name) || SEVERAL_CHINESE.test(name);
}

/** "My sister", "mia's dog", 我妹妹: it may be another one that is spoken of. A title that ends so is none of somebody's. */
function isOneOfSeveral(entity: string): boolean {
  return isSeveral(entity) && /^my |'s |^我|的/u.test(entity);
}

const COUNT = /^(?:\d+|no|one|two|three|four|five|six|seven|eight|nine|ten|[零一二两三四五六七八九十百]+)$/iu;

/** Attributes whose values are names of places: "a big family", "a small house" are none. */
const PLACES: ReadonlySet<string> = new Set([
  "residence",
  "origin",
  "birthplace",
  "employer",
  "school",
  "place of work",
  "place of death",
]);

/** Whether a value names what there is only one of, and does not tell what something is like, or when. */
function namesOne({ attribute, value }: AttributeFact): boolean {
  if (DESCRIBES.test(value) || AT_TIMES.test(value)) return false;
  if (PLACES.has(attribute))
    return !/^(?:an?|my|our|his|her|their|one of|some)\b|^一[个家座间所]/iu.test(value);
  if (isKnown(attribute)) return !isJudgement(value);
  // Of what only this text calls an attribute, a name or a number is a value; the rest may be anything.
  if (/\p{Script=Han}/u.test(value)) return !value.endsWith("的") && !isJudgement(value);
  return /^["“《「]?(?:(?:the|an?) )?[\p{Lu}\p{N}]/u.test(value);
}

function isKnown(attribute: string): boolean {
  return isListed(attribute) || FIXED.has(attribute) || NAMED.test(attribute);
}

/** Of which there is one by its very name. */
const NAMED =
  /^(?:favourite .+|最.+|(?:.+ )?(?:type|kind|genre|style|colour|size|price|status|version|title|number|password|brand|breed|species|gender|religion|diet|deadline))$/u;

/** What a way to put it names by itself: "is located in". */
const FIXED: ReadonlySet<string> = new Set(
  [...ENGLISH_PATTERNS, ...CHINESE_PATTERNS].flatMap(({ attribute }) => attribute ?? []),
);

const DESCRIBES =
  /^(?:in|on|at|near|with|without|for|about|like|to|so|very|really|too|pretty|quite|super|not|more|less|such|all|getting|going|being|always|also|one of)\b|(?:ful|ous|less)$|^(?:很|非常|特别|太|挺|十分|有点|比较|越来越|在|去|要|想|能)|(?:的时候|之一)$/iu;
const AT_TIMES =
  /\b(?:on (?:the )?(?:weekends?|\p{L}+days?)|at night|part[- ]time|in the (?:mornings?|afternoons?|evenings?|summers?)|every|sometimes|during)\b|周末|兼职|有时|暑假/iu;

/** "Amazing", "tough": how somebody finds it. */
function isJudgement(value: string): boolean {
  return value.split(" ").length <= 3 && scoreSentiment(value) !== 0;
}
