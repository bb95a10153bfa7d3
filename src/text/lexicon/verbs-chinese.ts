/** Chinese verbs that tie two things together, longest first where one holds another. */
export const RELATION_VERBS: ReadonlySet<string> = new Set(
  `是 叫 姓 名叫 属于 成为 变成 当 担任 有 没有 拥有 喜欢 爱 热爱 讨厌 恨 害怕 怕 想念 想要 需要 想 要 买 卖 送 给 收到 得到 获得 失去 丢 找 找到 养 养了 领养 照顾 住 住在 来自 出生于 毕业于 就读于 任职于 位于 在 去 去过 到 到了
  回 回到 来 离开 搬到 参加 加入 参观 访问 学 学习 学会 教 研究 读 看 看过 听 说 写 画 唱 玩 打 踢 弹 做 吃 喝 煮 穿 戴 用 使用 开 骑 坐 认识 遇到 遇见 见 见到 帮 帮助 支持 告诉 问 邀请 请 嫁给 娶
  娶了 订婚 约 陪 感谢 原谅 相信 知道 了解 记得 忘记 忘了 开始 完成 结束 准备 计划 打算 决定 负责 管理 经营 创办 开发 设计 制作 发明 发现 创造 拍 拍了 赢得 输给 患 患有 得了 出生在 工作在 生活在 擅长 习惯 对 从事 报名 报了 订 订了
  申请 通过 考上 收养 种 种了 修 洗 打扫 丢了 买了 卖了 写了 画了 看了 吃了 喝了 学了 做了 去了 送了 给了 收藏 推荐 计划去 打算去 想去 爱吃 爱喝 爱看 爱听 喜欢吃 喜欢喝 喜欢看 喜欢听 喜欢去 尝试 考虑 思考 换 换了 搬 搬去 搬进 辞去`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** Words that may stand between the subject and its verb. */
export const BEFORE_VERB: ReadonlySet<string> = new Set(
  `也 都 就 还 又 再 才 只 很 太 更 最 非常 特别 十分 真的 真 已经 曾经 曾 正在 正 一直 总是 经常 常常 常 有时 偶尔 从来 从 刚刚 刚 刚才 终于 突然 马上 立刻 现在 目前 最近 今天 昨天 前天 明天 后天 今年 去年 明年 上周 下周
  这周 上个月 下个月 这个月 周末 早上 上午 中午 下午 晚上 昨晚 今晚 小时候 以前 之前 后来 然后 其实 可能 应该 大概 好像 似乎 当然 一定 必须 能 会 可以 将 将要 快 快要 想 要 打算 计划 准备 决定 一起 一个人 自己 独自 每天 每周 平时 通常
  一般 不 没 没有 并 并不 从不 从未 未 别 不会 不能 不想 不要 不再 不太 比较 挺 蛮 超 超级 有点 尤其 格外`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** Words that open a clause without being part of it. */
export const CLAUSE_OPENERS: ReadonlySet<string> = new Set(
  "因为 所以 但是 但 不过 可是 然而 而且 并且 而 如果 虽然 尽管 于是 那么 因此 由于 即使 只要 只有 除了 另外 此外 同时 首先 其次 最后 总之 据说 听说 对了 哦 嗯 啊 嗨 你好 谢谢".split(
    " ",
  ),
);
