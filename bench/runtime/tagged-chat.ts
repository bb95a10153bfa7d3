/** What do people tag, and how do they chat about it? Names, places and things in English and Chinese, and talk around them. */
import { seededRandom } from "../../src/base/random.ts";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const FIRST =
  words(`Mia Ben Anna Lucas Emma Noah Olivia Liam Sofia Leo Clara Max Julia Tom Nina Paul Rosa Ivan Lena Hugo
  Maya Omar Aisha Ravi Priya Kenji Yuki Chen Wei Lara`);
const LAST =
  words(`Rossi Miller Garcia Novak Silva Schmidt Kim Tanaka Singh Okafor Larsen Moreau Costa Walker Hayes
  Fischer Bauer Lopez Nguyen Ito Khan Haddad Petrov Jansen Berg Wood Stone Reed Lane Ford`);
const KINDS =
  words(`green old wild spicy vintage electric wooden winter summer morning evening family weekend yearly school
  garden silver paper stone river mountain city village travel running`);
const THINGS =
  words(`tea bike guitar kitchen camera violin hotpot market recipe train museum concert budget deadline report
  meeting birthday wedding interview allergy marathon puppy tent novel painting passport invoice server backup release
  bakery harbour library clinic studio island bridge ferry picnic choir`);
const SURNAMES = [..."王李张刘陈杨黄赵周吴徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹"];
const GIVEN = [..."明红伟芳娜静敏强磊洋艳勇军杰娟涛超霞平刚辉玲婷雪梅鹏斌宇浩"];
const PLACES = words(
  "北京 上海 广州 深圳 杭州 成都 西安 南京 武汉 重庆 苏州 青岛 厦门 昆明 大理 桂林 哈尔滨 拉萨 天津 长沙",
);
const TOPICS =
  words(`火锅 聚餐 周报 露营 帐篷 咖啡 绿茶 面条 早餐 晚饭 项目 会议 考试 生日 婚礼 旅行 火车 机票 医院 体检 过敏 跑步
  游泳 爬山 电影 音乐会 小说 画展 猫粮 狗绳 装修 房租 搬家 面试 加班 预算 报销 服务器 备份 上线`);

const ENGLISH_TALK = [
  "So what do you think, should we",
  "I was wondering about it all day, and then",
  "you know how it went the last time with",
  "let me check again what was said about",
  "By the way, somebody asked me about",
  "and I still have to sort out",
];
const CHINESE_TALK = [
  "你还记得吗，上次说到",
  "我今天一直在想",
  "对了，有人问起",
  "晚上要不要一起聊聊",
  "那件事后来怎么样了，就是",
  "我还得处理一下",
];

/** All different; the common ones are mixed of both languages, as in a household that speaks both. */
export function makeTags(count: number): readonly string[] {
  const random = seededRandom(20_000);
  const pick = (from: readonly string[]): string => from[Math.floor(random.next() * from.length)] ?? "";
  const makers = [
    () => pick(THINGS),
    () => pick(TOPICS),
    () => pick(SURNAMES) + pick(GIVEN) + (random.next() < 0.6 ? pick(GIVEN) : ""),
    () => `${pick(FIRST)} ${pick(LAST)}`,
    () => `${pick(KINDS)} ${pick(THINGS)}`,
    () => pick(PLACES) + pick(TOPICS),
    () => `${pick(FIRST)}'s ${pick(THINGS)}`,
    () => `${pick(LAST)} ${pick(KINDS)} ${pick(THINGS)}`,
  ];
  const tags = new Set<string>();
  for (let n = 0; tags.size < count; n++) tags.add(makers[n % makers.length]?.() ?? "");
  return [...tags];
}

/** Chat of 50 to 500 characters that mentions all the tags, some of it about nothing. */
export function chatAbout(tags: readonly string[], seed: number): string {
  const random = seededRandom(seed + 1);
  const wanted = 50 + Math.floor(450 * random.next());
  const talk = (n: number): string => {
    const from = n % 2 === 0 ? ENGLISH_TALK : CHINESE_TALK;
    return from[Math.floor(random.next() * from.length)] ?? "";
  };
  let text = tags.map((tag, n) => `${talk(n)} ${tag}`).join(", ");
  for (let n = 0; text.length < wanted; n++) text += ` ${talk(n)}`;
  return text.slice(0, Math.max(50, Math.min(500, text.length)));
}
