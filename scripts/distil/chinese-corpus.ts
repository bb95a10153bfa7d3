/**
 * Chinese to distil on: sentences and questions of daily life whose slots are filled with the common words of a
 * dictionary with counts and parts of speech (jieba's dict.txt, MIT). Its commonest words of two to four characters also
 * become phrases, since a bag of single characters says little.
 */
import { readFileSync } from "node:fs";
import { seededRandom } from "../../src/base/random.ts";
import { type Corpus, fill, pick } from "./corpus.ts";

const PHRASES = 20_000;
const TURNS = 36_000;
const QUESTIONS = 12_000;

const NAMES =
  "小林 老陈 阿强 大伟 婷婷 莉莉 张姐 国栋 小何 文博 一诺 梓萱 刘叔叔 老孙 周敏 小红 阿梅 卫东 雪晴 贝贝".split(
    " ",
  );
const PEOPLE = "我 他 她 我们 他们 爸爸 妈妈 同事 朋友 孩子 老板 老师 邻居 客户 医生".split(" ");
const TIMES = ["", ..."昨天 今天 上周 上个月 去年 前几天 明天 下周 最近 这几天 早上 晚上 周末".split(" ")];

const TURN_FORMS = [
  "{name}：{who}{when}去{place}{do}了{thing}。",
  "{name}：{who}{when}在{place}看到了{thing}，觉得很{how}。",
  "{who}{when}打算{do}{thing}，你觉得怎么样？",
  "{name}：其实{who}不太喜欢{thing}，太{how}了。",
  "{who}跟我说{thing}{do}得很{how}。",
  "{name}：哇，{thing}真{how}！",
  "{name}：谢谢你，{who}的{thing}终于{do}了。",
  "因为{thing}，{who}{when}没有{do}。",
  "{name}：{who}{when}开始{do}，每天都要{do}{thing}。",
  "{who}把{thing}放在{place}了，{when}要去{do}。",
  "{name}：对了，{when}的{thing}别忘了{do}。",
  "听说{place}的{thing}特别{how}，下次一起去吧。",
  "{name}：{who}{do}了三年{thing}，现在{how}多了。",
  "{when}{who}因为{thing}和{thing}吵了一架。",
  "{name}：哈哈，{who}一{do}就{how}。",
];

const QUESTION_FORMS = [
  "{who}为什么{do}{thing}",
  "{thing}怎么样",
  "什么时候{do}{thing}",
  "{name}在哪里{do}{thing}",
  "谁{do}了{thing}",
  "{thing}的{doing}",
  "{name}对{thing}的看法",
  "有没有{do}过{thing}",
  "喜欢什么{thing}",
  "{thing}{do}的原因",
  "{who}的{thing}多少钱",
  "{thing}和{thing}",
  "{name}最近{do}什么",
  "怎么{do}{thing}",
];

interface Word {
  readonly text: string;
  readonly count: number;
  readonly part: string;
}

/** `file`: lines of word, count and part of speech. */
export function chineseCorpus(file: string): Corpus {
  const dictionary = readDictionary(file);
  const random = seededRandom(7);
  const slot = (part: string, most: number): (() => string) => {
    const words = dictionary.filter((word) => word.part === part && isPhrase(word)).slice(0, most);
    return () => pick(random, words).text;
  };
  const words = {
    name: () => pick(random, NAMES),
    who: () => pick(random, PEOPLE),
    when: () => pick(random, TIMES),
    thing: slot("n", 9_000),
    do: slot("v", 5_000),
    doing: slot("vn", 1_500),
    how: slot("a", 1_500),
    place: slot("ns", 1_500),
  };
  const turn = (): string => fill(pick(random, TURN_FORMS), words);
  const texts = [
    ...Array.from({ length: TURNS }, () => (random.next() < 0.3 ? turn() + turn() : turn())),
    ...Array.from({ length: QUESTIONS }, () => fill(pick(random, QUESTION_FORMS), words)),
  ];
  const total = dictionary.reduce((sum, { count }) => sum + count, 0);
  const phrases = dictionary
    .filter((word) => isPhrase(word) && !word.part.startsWith("nr"))
    .slice(0, PHRASES)
    .map(({ text, count }) => ({ text, share: count / total }));
  return { texts, phrases, shareOfToken: characterShares(dictionary) };
}

/** Commonest first; ties in the order of the file. */
function readDictionary(file: string): Word[] {
  const words = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line): Word[] => {
      const [text, count, part] = line.split(" ");
      return text === undefined || part === undefined ? [] : [{ text, count: Number(count), part }];
    });
  return words.sort((a, b) => b.count - a.count);
}

function isPhrase({ text }: Word): boolean {
  return /^[\u4e00-\u9fff]{2,4}$/.test(text);
}

function characterShares(dictionary: readonly Word[]): Map<string, number> {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { text, count } of dictionary) {
    for (const character of text) {
      counts.set(character, (counts.get(character) ?? 0) + count);
      total += count;
    }
  }
  return new Map([...counts].map(([character, count]) => [character, count / total]));
}
