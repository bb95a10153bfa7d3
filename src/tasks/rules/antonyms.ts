/** Which words say the opposite of each other? Pairs of English and Chinese words, for telling contradictions. */

const ENGLISH =
  "love/hate like/hate like/dislike love/dislike enjoy/hate enjoy/dislike always/never often/rarely start/stop begin/end open/close open/shut win/lose accept/reject accept/decline accept/refuse agree/disagree agree/refuse allow/forbid allow/ban approve/reject arrive/leave buy/sell alive/dead single/married married/divorced married/unmarried healthy/sick well/ill happy/sad happy/unhappy rich/poor hot/cold warm/cold big/small large/small tall/short long/short high/low fast/slow early/late easy/hard easy/difficult strong/weak young/old new/old good/bad best/worst better/worse right/wrong true/false possible/impossible safe/dangerous safe/unsafe cheap/expensive light/dark full/empty full-time/part-time inside/outside indoor/outdoor success/failure succeed/fail pass/fail remember/forget find/lose gain/lose increase/decrease rise/fall employed/unemployed hired/fired join/leave stay/leave vegetarian/carnivore introvert/extrovert introverted/extroverted public/private vegan/meat-eater cancel/confirm cancelled/confirmed available/unavailable able/unable pleased/annoyed calm/nervous trust/distrust friend/enemy beautiful/ugly clean/dirty quiet/noisy quiet/loud busy/free guilty/innocent optimistic/pessimistic generous/stingy honest/dishonest polite/rude lazy/hardworking";

const CHINESE =
  "喜欢/讨厌 喜爱/厌恶 喜欢/厌恶 爱/恨 总是/从不 经常/很少 经常/从不 开始/停止 开始/结束 开/关 打开/关闭 赢/输 接受/拒绝 同意/反对 同意/拒绝 允许/禁止 批准/驳回 到达/离开 买/卖 活着/去世 单身/已婚 结婚/离婚 已婚/离异 健康/生病 开心/难过 高兴/难过 快乐/悲伤 高兴/生气 富/穷 热/冷 大/小 高/矮 高/低 长/短 快/慢 早/晚 早起/晚起 容易/困难 简单/困难 简单/复杂 强/弱 年轻/年老 新/旧 好/坏 最好/最差 对/错 正确/错误 可能/不可能 安全/危险 便宜/贵 亮/暗 轻/重 满/空 全职/兼职 里面/外面 室内/室外 成功/失败 记得/忘记 找到/丢失 增加/减少 上升/下降 在职/失业 入职/离职 加入/退出 留下/离开 内向/外向 公开/私密 取消/确认 有空/没空 平静/紧张 信任/怀疑 朋友/敌人 美/丑 干净/脏 安静/吵闹 忙/闲 乐观/悲观 大方/小气 诚实/虚伪 礼貌/粗鲁 懒/勤快 支持/反对 吃素/吃肉 素食/吃肉 胖/瘦 增重/减重 赞成/反对";

const pairs: ReadonlyMap<string, ReadonlySet<string>> = readPairs(`${ENGLISH} ${CHINESE}`);

/** The words that say the opposite of this one; the word in lower case, as it stands in a dictionary. */
export function antonymsOf(word: string): ReadonlySet<string> {
  return pairs.get(word) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

function readPairs(list: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (word: string, opposite: string): void => {
    const known = found.get(word);
    if (known === undefined) found.set(word, new Set([opposite]));
    else known.add(opposite);
  };
  for (const pair of list.split(" ")) {
    const [first = "", second = ""] = pair.split("/");
    add(first, second);
    add(second, first);
  }
  return found;
}
