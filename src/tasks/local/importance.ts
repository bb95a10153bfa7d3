/** How much a text will matter later, by what it speaks of: events of a life, feelings, plans; or greetings and routines. */
import { scoreEmotions } from "../../text/emotions.ts";
import { scoreSentiment } from "../../text/sentiment.ts";
import { simplify } from "../../text/simplify.ts";

/** What it speaks of, and what that adds. Only the heaviest event counts; signs add up. */
const EVENTS: readonly (readonly [number, RegExp])[] = [
  [
    5,
    /\b(?:died|death|passed away|funeral|married|wedding|engaged|divorc\w+|pregnan\w+|gave birth|newborn|adopt(?:ed|ion)|diagnos\w+|cancer|surgery|hospital\w*|accident|heart attack|suicide|arrested|bankrupt\w*|attacked)\b|去世|逝世|葬礼|结婚|婚礼|求婚|订婚|离婚|怀孕|出生了?|生了个|收养|确诊|癌症|手术|住院|车祸|自杀|被捕|破产/iu,
  ],
  [
    4,
    /\b(?:graduat\w+|promot\w+|fired|laid off|quit (?:my|his|her|the) job|new job|retire[ds]?|moved to|moving to|immigrat\w+|bought a (?:house|home|flat)|started a (?:company|business)|broke up|breakup|came out|transition\w*|degree|scholarship|award|won|lost my)\b|毕业|升职|晋升|被解雇|失业|辞职|跳槽|退休|搬家|搬到|移民|买房|创业|分手|出柜|获奖|考上|录取|失去/iu,
  ],
  [
    2,
    /\b(?:interview|exam|trip|travel\w*|vacation|birthday|anniversary|concert|festival|competition|tournament|camping|adopted|first time|started|joined|volunteer\w*|project|decided|allerg\w+|sick|ill|injur\w+)\b|面试|考试|旅行|旅游|出差|度假|生日|纪念日|演唱会|比赛|第一次|开始|加入|志愿|项目|决定|过敏|生病|受伤/iu,
  ],
];

const SIGNS: readonly (readonly [number, RegExp])[] = [
  [
    3,
    /\b(?:remember this|don't forget|never forget|important|crucial|must|urgent|deadline|password)\b|记住|别忘|千万|重要|务必|必须|紧急|截止|密码/iu,
  ],
  [
    1,
    /\b(?:will|going to|plan(?:s|ning)? to|promise[ds]?|hope to|dream|goal|appointment|next (?:week|month|year))\b|打算|计划|准备|答应|希望|梦想|目标|预约|下(?:周|个?月)|明年/iu,
  ],
  [1, /\b(?:love|like|hate|prefer|favou?rite|enjoy|allergic|afraid)\w*\b|喜欢|讨厌|最爱|偏爱|热爱|害怕/iu],
  [
    1,
    /\b(?:my|his|her|their|our) (?:mother|father|mom|mum|dad|parents|wife|husband|son|daughter|kids?|child(?:ren)?|brother|sister|partner|girlfriend|boyfriend|best friend|grand\w+)\b|妈妈|爸爸|父母|妻子|丈夫|老公|老婆|儿子|女儿|孩子|哥哥|姐姐|弟弟|妹妹|男朋友|女朋友|爷爷|奶奶|外婆|外公/iu,
  ],
  [
    1,
    /\d|\b(?:January|February|March|April|June|July|August|September|October|November|December)\b|[年月日号]/u,
  ],
];

const EMPTY =
  /^(?:[^\p{L}\p{N}]*|(?:hi|hey|hello|thanks?(?: you)?|thank you(?: so much)?|ok(?:ay)?|sure|yes|no|yeah|yep|nope|bye|goodbye|good (?:morning|night|evening)|see you|lol|haha|cool|great|nice|wow|got it|no problem|you're welcome|take care)(?:[\s,.!~]+\w+){0,3}|(?:你好|您好|嗨|谢谢|多谢|好的?|嗯+|哦+|是的?|不是|再见|拜拜|早上好|早安|晚安|哈+|没事|不客气|没问题|辛苦了)[\p{L}]{0,2})[\s\p{P}\p{S}]*$/iu;
const ROUTINE =
  /\b(?:is idle|brush\w* (?:\w+ )?teeth|makes? (?:the )?bed|got up|wak(?:es?|ing) up|had (?:breakfast|lunch|dinner)|commut\w+|doing laundry|washed the dishes|weather)\b|发呆|刷牙|洗脸|起床|铺床|吃(?:了)?(?:早饭|午饭|晚饭|早餐|午餐|晚餐)|洗碗|洗衣服|通勤|天气/iu;

/** Who speaks is no part of what is said. */
const SPEAKER = /^\p{L}[\p{L}\p{N} .'’_-]{0,40}[:：]\s*/u;

/** A plain remark; most memories are no more. */
const PLAIN = 3;

/** A whole number from 1 to 10. */
export function scoreImportance(text: string): number {
  const plain = simplify(text).trim().replace(SPEAKER, "");
  if (EMPTY.test(plain)) return 1;
  const event = Math.max(0, ...EVENTS.filter(([, pattern]) => pattern.test(plain)).map(([weight]) => weight));
  const signs = SIGNS.filter(([, pattern]) => pattern.test(plain)).reduce((sum, [weight]) => sum + weight, 0);
  const routine = event === 0 && ROUTINE.test(plain) ? -2 : 0;
  const feeling = Math.max(Math.abs(scoreSentiment(text)), ...Object.values(scoreEmotions(text)));
  const total = PLAIN + event + Math.min(3, signs) + 2 * feeling + routine;
  return Math.min(10, Math.max(1, Math.round(total)));
}
