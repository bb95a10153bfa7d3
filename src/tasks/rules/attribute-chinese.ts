/** The ways in which Chinese states an attribute of somebody. The first that matches decides. Texts come simplified. */
import { CHINESE_NUMBER } from "../../text/chinese-number.ts";
import { CHINESE_UNIQUE_ROLES } from "./attribute-names.ts";
import type { AttributePattern } from "./attribute-pattern.ts";

const WHO = "^(?<entity>[^，,。；：:是]{1,20}?)";
const ADVERB =
  "(?:换了?(?:一?[个份])?新?工作|换|跳槽|现在|目前|如今|已经|一直|还|也|都|就|刚|刚刚|最近|后来|又|一向|真的|其实|依然|仍然|正式)*";
/** The group is there only if it is denied. */
const DENIED = "(?<not>不再|没有|没|不|从不|从来不|再也不|并不|已不|不太|不怎么)?";
const END = "(?<value>[^，,。；]+).*$";

function verb(words: string): RegExp {
  return new RegExp(`${WHO}${ADVERB}${DENIED}${ADVERB}(?:${words})${END}`, "u");
}

/** With the value in the middle: 在谷歌工作. */
function around(before: string, after: string): RegExp {
  return new RegExp(
    `${WHO}${ADVERB}(?<not>不再|没有|没|不|并不)?(?:${before})(?<value>[^，,。；]{1,24}?)(?:${after})(?:了|的)?$`,
    "u",
  );
}

const DEGREE = "(?:很|非常|特别|最|十分|超级|超|挺|蛮|太|比较|更|尤其|格外|有点|最近)*";

export const CHINESE_PATTERNS: readonly AttributePattern[] = [
  // 李强是小红的丈夫 before 小红的丈夫是李强, which it is not.
  {
    pattern: new RegExp(
      `^(?<value>[^，,。；的是]{1,16})是(?<entity>[^，,。；是]{1,16})的(?<attribute>${CHINESE_UNIQUE_ROLES})$`,
      "u",
    ),
  },
  {
    pattern:
      /^(?<entity>[^，,。；：:是]{1,20}?)(?<attribute>最(?:喜欢|爱|讨厌)[^的是，,。；]{0,4}的[^的是，,。；]{1,8})(?:现在)?(?:(?<not>不再是|不是|并非)|是|变成了?)(?<value>[^，,。；]+).*$/u,
  },
  {
    pattern: new RegExp(
      `^(?<entity>[^，,。；：:是]{1,20})的(?<attribute>[^的是，,。；]{1,12}?)${ADVERB}(?:(?<not>不再是|不是|并不是|并非)|是|为|叫做|叫|变成了?|改成了?|改为了?|换成了?|成了)(?<value>[^，,。；]+).*$`,
      "u",
    ),
  },

  { pattern: verb("住在|居住在|居住于|定居在|定居于|定居|住到了?"), attribute: "residence" },
  {
    pattern: verb("(?:从[^，,。；]{1,12})?(?:搬到|搬去|搬家到|搬回|搬进|移居到?|迁居到?|搬家去)了?"),
    attribute: "residence",
  },
  { pattern: around("在", "居住|定居|生活"), attribute: "residence" },
  { pattern: around("在|到|去", "工作|上班|任职|就职|供职"), attribute: "employer" },
  { pattern: verb("就职于|任职于|供职于|受雇于|跳槽到|跳槽去|入职"), attribute: "employer" },
  {
    pattern: verb("(?:是|当了?|做了?|担任|成为了?)(?:[^，,。；是的]{1,10}的)?一?[名位]"),
    attribute: "occupation",
  },
  { pattern: verb("从事的?(?:工作是)?"), attribute: "occupation" },
  {
    pattern: new RegExp(`${WHO}(?:今年|现在|已经|刚满|刚过|满|快|刚|才)*(?<value>${CHINESE_NUMBER})岁`, "u"),
    attribute: "age",
  },
  { pattern: verb("出生在|出生于|生于|诞生于"), attribute: "birthplace" },
  { pattern: around("在|于", "出生"), attribute: "birthplace" },
  { pattern: verb("来自"), attribute: "origin" },
  {
    pattern: new RegExp(`${WHO}(?:(?<not>不是)|是)(?<value>[^，,。；一个的名位]{2,8})人$`, "u"),
    attribute: "origin",
  },
  {
    pattern: new RegExp(
      `${WHO}${ADVERB}(?:和|与|跟|同)(?<value>[^，,。；]{1,16}?)(?<not>没有|没|离)?结?婚`,
      "u",
    ),
    attribute: "spouse",
  },
  { pattern: verb("嫁给了?|娶了"), attribute: "spouse" },
  {
    pattern: new RegExp(`${WHO}${ADVERB}(?<value>单身|已婚|离异|未婚|离婚了?|结婚了)$`, "u"),
    attribute: "marital status",
  },
  { pattern: around("在", "读书|上学|念书|读大学|读研|读博|就读|上大学|留学"), attribute: "school" },
  { pattern: verb("就读于|考上了?|毕业于"), attribute: "school" },
  { pattern: verb("(?:的?名字)?(?:叫做?|名叫)"), attribute: "name" },
  { pattern: verb("开着?一辆"), attribute: "car" },
  { pattern: verb("去世于|死于|在(?=.+去世)"), attribute: "place of death" },
  { pattern: verb("位于|坐落于|坐落在"), attribute: "location" },
  { pattern: verb("总部(?:位于|设在|在)"), attribute: "headquarters" },
  { pattern: verb("信仰|信奉"), attribute: "religion" },
  { pattern: verb("(?:司职|担任)(?=.*(?:前锋|中场|后卫|门将|中锋))"), attribute: "position" },
  { pattern: around("由", "创立|创办|创建|成立"), attribute: "founder" },
  { pattern: around("由", "撰写|所写|写"), attribute: "author" },
  { pattern: around("由", "执导|导演"), attribute: "director" },
  { pattern: around("由", "开发|研发"), attribute: "developer" },
  { pattern: around("由", "创作|发明"), attribute: "creator" },
  {
    pattern: new RegExp(
      `${WHO}${ADVERB}(?:有|养了?|生了)(?<value>${CHINESE_NUMBER})[个位只条名](?<attribute>孩子|小孩|儿子|女儿|兄弟|姐妹|哥哥|姐姐|弟弟|妹妹|猫|狗|宠物)`,
      "u",
    ),
  },

  {
    pattern: new RegExp(
      `${WHO}${ADVERB}${DEGREE}${DENIED}${DEGREE}(?:喜欢上了?|喜欢|喜爱|热爱|爱上了?|爱好|偏爱|迷上了?|享受|爱(?=[吃喝看听玩打踢做]))${END}`,
      "u",
    ),
    opinion: "positive",
  },
  {
    pattern: new RegExp(
      `${WHO}${ADVERB}${DEGREE}${DENIED}${DEGREE}(?:讨厌|厌恶|反感|痛恨|害怕|怕|嫌弃|受不了)${END}`,
      "u",
    ),
    opinion: "negative",
  },
];
