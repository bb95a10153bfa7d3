/**
 * A small conversation of our own, English and Chinese, over half a year, for the demo: lessons, food, travel, work, health.
 * Some of it changes on the way: a date is moved, somebody moves house, a job is given up, a plan falls through.
 */

import type { NewTurn } from "../base/turn.ts";
import type { Words } from "./words.ts";

type SampleTurn = NewTurn & { readonly speaker: string };

/** One sitting: all on one day, a few minutes apart. */
function sitting(day: string, ...lines: readonly (readonly [string, string])[]): SampleTurn[] {
  const start = Date.parse(`${day}T18:30:00Z`);
  return lines.map(([speaker, text], place) => ({
    speaker,
    text,
    session: day,
    happenedAt: start + place * 120_000,
  }));
}

export const SAMPLE_CONVERSATION: readonly SampleTurn[] = [
  ...sitting(
    "2026-01-12",
    ["Mia", "Happy new year! I have decided to learn an instrument this year, probably the violin."],
    ["Ben", "Do it. I still have my grandfather's cello, but I have not played it in years."],
    ["Mia", "I live on the fourth floor in Harbour Lane, I hope the neighbours survive my practice."],
    ["Ben", "Mine got used to the dog. Did I tell you that we named her Pepper?"],
  ),
  ...sitting(
    "2026-01-20",
    ["王芳", "我今天拿到新公司的录用通知了，下个月一号去星河软件上班。"],
    ["李强", "恭喜！还是做产品经理吗？"],
    ["王芳", "对，负责他们的地图产品，办公室在高新区。"],
    ["李强", "那我们可以一起吃午饭，我就在隔壁楼。"],
  ),
  ...sitting(
    "2026-02-03",
    ["Ben", "The doctor says I should drink less coffee, so I am on green tea now."],
    ["Mia", "You, without espresso? I give it two weeks."],
    ["Ben", "We will see. I also run in the park on Tuesday mornings."],
  ),
  ...sitting(
    "2026-02-15",
    ["李强", "我家的猫终于有名字了，叫豆包，是只橘猫。"],
    ["王芳", "好可爱！我对猫毛过敏，只能看照片。"],
    ["李强", "那下次聚会就去你家吧。"],
    ["王芳", "可以，我现在租在锦江区的合江亭旁边，离地铁站五分钟。"],
  ),
  ...sitting(
    "2026-03-02",
    [
      "Mia",
      "I finally started violin lessons! My teacher is Mrs. Okafor, I found her at the music school on Elm Street.",
    ],
    ["Ben", "That is wonderful. When is your first recital?"],
    ["Mia", "On the 11th of April, in the hall of the school. You are invited."],
    ["Ben", "I will be there, with Pepper if they let dogs in."],
  ),
  ...sitting(
    "2026-03-09",
    ["Mia", "We should bring snacks to the recital. Are you still allergic to peanuts?"],
    ["Ben", "Yes, peanuts and cashews, so please no mixed nuts. Almonds are fine."],
    ["Mia", "Almond cookies it is, then. My sister Clara will bake them."],
  ),
  ...sitting(
    "2026-03-14",
    ["王芳", "周末我们去了解放路的老灶火锅店，排了一个小时的队，味道特别好。"],
    ["李强", "下次叫上我！我最近在学做菜，想试试自己熬锅底。"],
    ["王芳", "你不是不能吃太辣吗？"],
    ["李强", "微辣没问题，我只是不吃香菜。"],
  ),
  ...sitting(
    "2026-03-16",
    ["李强", "我下周三要去北京出差，住在国贸附近，大概待四天。"],
    ["王芳", "那你帮我带一盒稻香村的点心回来吧，我妈妈喜欢吃枣花酥。"],
    ["李强", "没问题，还要别的吗？"],
    ["王芳", "不用了，路上小心。"],
  ),
  ...sitting(
    "2026-04-01",
    ["Mia", "The recital is on the 18th of April now, because the hall in Elm Street is being painted."],
    ["Ben", "Fine with me, I am back from Lisbon on the 15th anyway."],
    ["Mia", "What are you doing in Lisbon?"],
    ["Ben", "A conference about tram networks. I am giving a talk on timetables."],
  ),
  ...sitting(
    "2026-04-19",
    ["Ben", "You played beautifully yesterday! The slow piece was my favourite."],
    ["Mia", "Thank you! My hands were shaking. Mrs. Okafor says I should try Vivaldi next."],
    ["Ben", "By the way, I am back on coffee. Green tea was not for me."],
  ),
  ...sitting(
    "2026-04-26",
    ["王芳", "我五月要搬家了，锦江区的房子到期，新房子在武侯区的玉林路。"],
    ["李强", "玉林路好啊，吃的多。哪天搬？我来帮忙。"],
    ["王芳", "五月九号，星期六，早上九点开始。"],
    ["李强", "好，我开车过去。"],
  ),
  ...sitting(
    "2026-05-11",
    ["Mia", "I signed the contract: I am moving to a house with a garden in Willow Road in June."],
    ["Ben", "Goodbye, Harbour Lane! What will you plant?"],
    ["Mia", "Tomatoes, and a cherry tree for Clara's children to climb."],
  ),
  ...sitting(
    "2026-05-20",
    ["李强", "国庆我们本来想去云南，现在改成去敦煌看壁画了。"],
    ["王芳", "敦煌风沙大，记得带围巾。机票买了吗？"],
    ["李强", "买了，九月三十号晚上从成都飞。"],
    ["王芳", "我搬到玉林路以后还没请你吃饭，等你回来我们吃串串。"],
  ),
  ...sitting(
    "2026-06-14",
    ["Mia", "We moved in on Saturday. There are boxes everywhere, but the violin is unpacked."],
    ["Ben", "Priorities! I changed jobs, too: since Monday I plan timetables for the night trains."],
    ["Mia", "Does that mean you can get us tickets to Vienna?"],
    ["Ben", "Two seats on the 4th of July, if you want them."],
  ),
];

/** A fact, a date that was moved, and a place that changed. */
export const SAMPLE_QUESTIONS: readonly string[] = [
  "Which nuts is Ben allergic to?",
  "When is Mia's violin recital?",
  "王芳搬到了哪里？",
];

/** One of them, for readers of either language; without an apostrophe, since a shell is given it in quotes. */
export const SAMPLE_QUESTION: Words = { en: "Which nuts is Ben allergic to?", zh: "王芳搬到了哪里？" };
