/** Does a sentence speak of what was or of what will be? Decides which "Friday" or "May 5" is meant when no year is said. */

export type Tense = "past" | "future" | "unknown";

/** The tense around a place in a text, by cue words of English and Chinese: that of its clause, else that of the sentence. */
export function tenseAround(text: string, at: number): Tense {
  const clause = clauseAround(text, at);
  // The day to which something was put off is not past because it was put off.
  if (isArranged(text, at)) return STRONG_FUTURE.test(clause) ? "future" : "unknown";
  const own = tenseOf(clause);
  return own === "unknown" ? tenseOf(sentenceAround(text, at).replace(SHORT_REPLY, "")) : own;
}

/** Whether something was moved to, put off until or booked for the time at this place. */
export function isArranged(text: string, at: number): boolean {
  return ARRANGED.test(text.slice(Math.max(0, at - 60), at));
}

function tenseOf(sentence: string): Tense {
  if (STRONG_FUTURE.test(sentence)) return "future";
  if (PAST.test(sentence)) return "past";
  return FUTURE.test(sentence) ? "future" : "unknown";
}

/** Whether what is said happens again and again, so that no single date is meant. */
export function isHabit(text: string, at: number): boolean {
  return HABIT.test(sentenceAround(text, at));
}

const STRONG_FUTURE =
  /\b(?:will|won't|gonna|going to (?!the\b)|can't wait|look(?:ing)? forward|planning|plans? (?:to|for)|hop(?:e|ing) to|scheduled|remind me)\b|\b\w+['’]ll\b|打算|计划|准备|将要|将会|预计|期待|要去|会去|记得提醒|(?<![重需主])要[^，。！？了]{1,6}了/i;
const FUTURE =
  /\b(?:upcoming|want to|would like|let's|shall|should|must|need to|due|deadline|leaves|arrives|departs|flies|returns|comes back|starts|begins|opens|takes place|(?<!\b(?:in|of|on|since|by|this|last|next|until|from|to|early|late|during|before|after|\d(?:st|nd|rd|th)?) )may(?! \d)|might|can|could(?!n['’]t)|am \w+ing|are \w+ing|is \w+ing)\b|要|会|将|快要|即将|想|可以/i;
const PAST =
  /\b(?:was|were|had|did|didn't|wasn't|weren't|went|saw|got|made|met|took|came|bought|told|said|gave|felt|found|left|ran|ate|began|won|lost|heard|thought|kept|spent|wrote|read|sent|drove|flew|has been|have been|back in|(?<!\b(?:am|is|are|be|been|get|gets|getting|being|i'm|we're|they're|he's|she's|it's) (?:[a-z]+ly )?)[a-z]{2,}ed)\b|了|过|曾|刚|当时|那时|以前/i;
const ARRANGED =
  /\b(?:moved|shifted|postponed|rescheduled|pushed|delayed|put off|brought forward|changed|set|booked|fixed|arranged|planned)\b[^.,;!?]{0,30}?\b(?:to|until|till|for)\s+(?:the\s+)?$|(?:改|推迟|延期|延|提前|挪|换|移|调整|顺延|定|订|约|安排)(?:到|至|在|成)了?$/i;
/** "Booked, on the 4th": 买了，九月三十号晚上飞. That it is done says nothing of what follows. */
const SHORT_REPLY = /^\s*(?:[a-z]+|\p{Script=Han}{1,4})\s*[,，]/iu;
const HABIT =
  /\b(?:every|each|usually|always|often|daily|weekly|monthly|annually|whenever|typically)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|day (?:mornings|afternoons|evenings|nights)\b|每|通常|经常|总是|平时|一般/i;

function clauseAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 200), at).replace(/^.*[.!?。！？\n,;:，；：]/su, "");
  return before + text.slice(at, at + 200).replace(/[。！？\n;，；].*$|[.!?,:](?:\s.*|$)/su, "");
}

function sentenceAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 200), at);
  const after = text.slice(at, at + 200);
  const from = before.search(/[^.!?。！？\n]*$/);
  const to = after.search(/[.!?。！？\n](?:\s|$)|[。！？\n]/);
  return before.slice(from) + (to < 0 ? after : after.slice(0, to));
}
