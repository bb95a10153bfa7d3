/** Does a text say how many, how much or how often: digits, a number word, "every week", a Chinese numeral with its measure? */

export function holdsNumber(text: string): boolean {
  return /[0-9０-９]/.test(text) || WORDS.test(text) || CHINESE.test(text);
}

/** "one" counts only where it counts: not in "that one", "one of them", "one day". */
const WORDS =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|couple|once|twice|thrice|half|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|(?:my|his|her|their|our|a|the) second|daily|weekly|monthly|every (?:other )?(?:day|night|morning|week|weekend|month|year|summer)|(?<!\b(?:no|this|that|the|which|any|every|each|another|some|good|new|big|last|first) )one (?!of|another|that|who|thing|day|i|you|we|is|was|for|in|on|at|to|and|with|more thing))\b/i;

const MEASURE =
  "[个個只隻条條本次回遍趟年月天日周岁歲位名人件张張部台套家间間座辆輛双雙对對杯瓶碗块塊元斤公米里分秒小点點号號种種场場首层層倍页頁句段顿頓口门門颗顆棵朵头頭匹份支枝片群排度些]";
/** 一些, 一下, 一点 and 一样 count nothing; nor do 一种, 这一次, 一个很好的 and 十分. */
const CHINESE = new RegExp(
  `(?![十万萬]分(?![之钟鐘]))(?:[〇零二三四五六七八九十百千万萬亿億两兩俩倆半]|几[十百千万]|[十百千]几|好几|(?<![这那哪每某同另这這聊想看试試说說])一(?![些下点點样樣起直定般边邊会會种種段]|部分|[个個](?:很|非常|比较|更|特别|好|新|人)))[多来來几]?(?:${MEASURE}|(?<=[十百千万萬亿億])[〇零一二三四五六七八九])|每[天日周月年晚]`,
  "u",
);
