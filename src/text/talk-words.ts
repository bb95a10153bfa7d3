/** Words of the talk itself: they are said about everything, so no text is about them. */
const ENGLISH = `sound sounds look looks seem seems hear heard glad wow thanks thank luck hope hey hi hello yeah yes no congrats
  check keep let lets got get gets thing things stuff lot lots bit kind way ways time times day days today tomorrow yesterday week
  weeks month months year years moment something anything everything someone everyone people guy guys one ones great good nice
  cool awesome amazing wonderful proud happy love like likes fun long hard best better sure agree mean means tell talk talking say
  said see seeing saw share sharing shows photo photos picture pictures pic pics photography wait forward idea reason part
  difference help helps together such much many`;
const CHINESE = `建议 推荐 尝试 感觉 觉得 事情 东西 方法 方面 聊天 谢谢 感谢 帮助 情况 今天 明天 昨天 最近 现在 时间 时候 有点 真的 非常 特别 喜欢
  知道 希望 考虑 想要 想 准备 开始 继续 问题 有些 一些 很多 比较 可能 认真 分享 图片 照片 朋友们 大家 意见 想法 机会 看看 试试 推荐的 觉得很`;

const WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${CHINESE}`.split(/\s+/));

/** Whether a lower-case English or simplified Chinese word only keeps a talk going. */
export function isTalkWord(word: string): boolean {
  return WORDS.has(word);
}
