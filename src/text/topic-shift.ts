/** Does somebody say that they turn to something else? "By the way", 对了, 换个话题. */
import { simplify } from "./simplify.ts";

const SHIFT =
  /\b(?:by the way|btw|speaking of (?:something|anything) else|on (?:another|a different) (?:note|topic)|changing the subject|let's talk about something else|new topic|anyway)\b|对了|顺便(?:问|说)|换个话题|话说回来|说点别的|另外/iu;

export function announcesShift(text: string): boolean {
  return SHIFT.test(simplify(text));
}
