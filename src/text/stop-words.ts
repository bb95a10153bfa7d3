/** Which words say nothing about what a text is about? English and Chinese function words. */

export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all am an and any are as at be because been before being below between both but
  by can could did do does doing down during each few for from further had has have having he her here hers herself
  him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only or
  other our ours ourselves out over own same she should so some such than that the their theirs them themselves then
  there these they this those through to too under until up us very was we were what when where which while who whom
  why will with would you your yours yourself yourselves
  cannot im ive dont doesnt didnt isnt wasnt arent cant wont couldnt wouldnt shouldnt youre theyre thats`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

export const CHINESE_STOP_WORDS: ReadonlySet<string> = new Set(
  `的 了 着 过 地 得 之 是 在 有 和 与 跟 及 或 而 且 但 但是 就 都 也 还 又 再 才 只 很 太 更 最 不 没 没有 把 被 让 给
  对 向 从 到 由 以 于 为 为了 因为 所以 如果 那么 虽然 然后 而且 或者 以及 并 并且 我 你 您 他 她 它 我们 你们 他们
  她们 它们 咱们 自己 这 那 这个 那个 这些 那些 这里 那里 这样 那样 这么 那么 哪 哪个 哪些 哪里 哪儿 谁 什么 怎么
  怎样 为什么 多少 几 吗 呢 吧 啊 呀 哦 嗯 哎 啦 嘛 哈 个 一个 一些 一下 些 种 会 能 可以 可 要 应该 上 下 里 中 来
  去 说 等 等等 其 其中 此 该 各 每 每个 某 已 已经 曾 曾经 正在 将 便 则 却 即 若 虽 何 啥 咋 俩 那儿 这儿 一直
  一样 还是 就是 不是 是不是 有没有 时候 的话 来说 来着`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** Whether a lower-case English or (simplified) Chinese word is a function word. */
export function isStopWord(word: string): boolean {
  return ENGLISH_STOP_WORDS.has(word) || CHINESE_STOP_WORDS.has(word);
}
