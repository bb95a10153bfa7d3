/**
 * What is measured on? Texts of about 25 words whose words are as unevenly common as those of a language (Mandelbrot's
 * form of Zipf's law), nine in ten English-like and one in ten Chinese, and vectors of 384 numbers that lie in topics as
 * embeddings do. Text n and vector n are functions of n alone, so every run and every rival sees the same ones.
 */
import { gaussian, type Random, seededRandom } from "../../src/base/random.ts";

export const DIMENSION = 384;
export const SPACE = "bench-384";

export interface Corpus {
  text(n: number): string;
  /** Of length one. */
  vector(n: number): Float32Array;
  /** `count` different words out of the fifty most common. */
  commonWords(n: number, count: number): string;
  /** A vector near the n-th, as a question is near its answer. */
  question(n: number): Float32Array;
}

const WORDS = 20_000;
const COMMON_WORDS = 50;
const LEAST_WORDS = 18;
const MOST_WORDS = 32;
const CHINESE_EVERY = 10;
const TOPICS = 1000;
/** How far vectors of one topic lie from its middle: cosines of about 0.6 to each other. */
const SPREAD = 0.8;
const QUESTION_SPREAD = 0.3;
/** Mandelbrot's offset: how flat the top of the list is. */
const OFFSET = 2.7;

export function createCorpus(): Corpus {
  const random = seededRandom(384);
  const english = makeWords(random);
  const topics = Array.from({ length: TOPICS }, () => direction(random));
  const noise = Float32Array.from({ length: 1 << 20 }, () => gaussian(random) / Math.sqrt(DIMENSION));

  const vectorNear = (n: number, salt: number, extraSpread: number): Float32Array => {
    const own = randomOf(n, 1);
    const values = Float32Array.from(topics[Math.floor(own.next() * TOPICS)] ?? []);
    blur(values, noise, SPREAD, own);
    if (extraSpread > 0) blur(values, noise, extraSpread, randomOf(n, salt));
    return unit(values);
  };
  return {
    text(n) {
      const own = randomOf(n, 2);
      const count = LEAST_WORDS + Math.floor(own.next() * (MOST_WORDS - LEAST_WORDS + 1));
      const words = n % CHINESE_EVERY === CHINESE_EVERY - 1 ? CHINESE_WORDS : english;
      const chosen = Array.from({ length: count }, () => words[zipfRank(own, words.length)] ?? "");
      return chosen.join(words === CHINESE_WORDS ? "" : " ");
    },
    vector: (n) => vectorNear(n, 0, 0),
    question: (n) => vectorNear(n, 3, QUESTION_SPREAD),
    commonWords(n, count) {
      const own = randomOf(n, 4);
      const chosen = new Set<string>();
      while (chosen.size < count) chosen.add(english[Math.floor(own.next() * COMMON_WORDS)] ?? "");
      return [...chosen].join(" ");
    },
  };
}

/** The stream of chance that belongs to item n. */
function randomOf(n: number, salt: number): Random {
  return seededRandom(Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca77));
}

/** Inverts the cumulative form of 1 / (rank + offset): no table needed. */
function zipfRank(random: Random, words: number): number {
  return Math.floor(OFFSET * ((words + OFFSET) / OFFSET) ** random.next() - OFFSET);
}

/** Pronounceable and all different, shorter ones first, as frequent words are. */
function makeWords(random: Random): readonly string[] {
  const onsets = [
    "b",
    "br",
    "c",
    "d",
    "f",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
  ];
  const vowels = ["a", "e", "i", "o", "u", "ea", "ou", "ai"];
  const codas = ["", "n", "r", "l", "m", "nd", "rk", "t", "ck"];
  const pick = (from: readonly string[]): string => from[Math.floor(random.next() * from.length)] ?? "";
  const words = new Set<string>();
  while (words.size < WORDS) {
    const syllables = words.size < 2000 ? 2 : 3;
    let word = "";
    for (let i = 0; i < syllables; i++) word += pick(onsets) + pick(vowels);
    words.add(word + pick(codas));
  }
  return [...words];
}

/** Common words of two characters; a text of them is written without spaces, as Chinese is. */
const CHINESE_WORDS =
  `今天 明天 昨天 我们 他们 大家 朋友 家人 孩子 父母 老师 同学 同事 医生 邻居 公司 学校 医院 商店 公园 花园 书店 机场
  车站 火车 汽车 地铁 飞机 道路 城市 乡村 北京 上海 广州 杭州 成都 春天 夏天 秋天 冬天 早上 中午 下午 晚上 周末 假期 生日 节日 咖啡 绿茶
  牛奶 面包 米饭 面条 苹果 香蕉 水果 蔬菜 早餐 午饭 晚饭 厨房 客厅 卧室 房子 窗户 桌子 椅子 电脑 手机 电话 照片 音乐 电影 小说 报纸 杂志 故事
  画画 唱歌 跳舞 跑步 游泳 爬山 旅行 工作 学习 考试 会议 项目 计划 问题 答案 消息 时间 地方 天气 下雨 下雪 刮风 晴天 太阳 月亮 星星 森林 河流
  大海 高山 动物 小狗 小猫 小鸟 喜欢 讨厌 希望 决定 开始 结束 继续 帮助 需要 认识 记得 忘记 告诉 回答 准备 参加 练习 休息 睡觉 起床 出发 回来
  买菜 做饭 洗衣 打扫 搬家 结婚 毕业 上班 下班 红色 蓝色 绿色 白色 黑色 便宜 昂贵 漂亮 安静 热闹 干净 健康 生病 感冒 吃药 锻炼 开心 难过 生气
  担心 放松 紧张`.split(/\s+/);

function direction(random: Random): Float32Array {
  return unit(Float32Array.from({ length: DIMENSION }, () => gaussian(random)));
}

/** Adds a stretch of the noise table: a million vectors cannot wait for 384 million fresh Gaussian numbers. */
function blur(values: Float32Array, noise: Float32Array, spread: number, random: Random): void {
  const start = Math.floor(random.next() * (noise.length - DIMENSION));
  const scale = spread * (0.8 + 0.4 * random.next());
  for (let i = 0; i < DIMENSION; i++) {
    values[i] = (values[i] as number) + scale * (noise[start + i] as number);
  }
}

function unit(values: Float32Array): Float32Array {
  let sum = 0;
  for (let i = 0; i < DIMENSION; i++) sum += (values[i] as number) ** 2;
  const scale = 1 / Math.sqrt(sum);
  for (let i = 0; i < DIMENSION; i++) values[i] = (values[i] as number) * scale;
  return values;
}
