/** A small conversation of our own, English and Chinese, for the tour. */
import type { NewTurn } from "../base/turn.ts";

const said = (day: string, speaker: string, text: string): NewTurn & { speaker: string } => ({
  speaker,
  text,
  session: day,
  happenedAt: Date.parse(`${day}T18:30:00Z`),
});

export const SAMPLE_CONVERSATION: readonly (NewTurn & { speaker: string })[] = [
  said(
    "2026-03-02",
    "Mia",
    "I finally started violin lessons! My teacher is Mrs. Okafor, I found her at the music school on Elm Street.",
  ),
  said(
    "2026-03-02",
    "Ben",
    "That is wonderful. I still have my grandfather's cello, but I have not played it in years.",
  ),
  said("2026-03-09", "Mia", "We should bring snacks to the recital. Are you still allergic to peanuts?"),
  said("2026-03-09", "Ben", "Yes, peanuts and cashews, so please no mixed nuts. Almonds are fine."),
  said("2026-03-14", "王芳", "周末我们去了解放路的老灶火锅店，排了一个小时的队，味道特别好。"),
  said("2026-03-14", "李强", "下次叫上我！我最近在学做菜，想试试自己熬锅底。"),
  said("2026-03-16", "李强", "我下周三要去北京出差，住在国贸附近，大概待四天。"),
  said("2026-03-16", "王芳", "那你帮我带一盒稻香村的点心回来吧，我妈妈喜欢吃枣花酥。"),
  said(
    "2026-04-01",
    "Mia",
    "The recital moved to the 18th of April because the hall in Elm Street is being painted.",
  ),
  said("2026-04-01", "Ben", "Fine with me, I am back from Lisbon on the 15th anyway."),
];
