/** Does a sentence speak of what was or of what will be? Decides which "Friday" or "May 5" is meant when no year is said. */

export type Tense = "past" | "future" | "unknown";

/** The tense of the sentence around a place in a text, by cue words of English and Chinese. */
export function tenseAround(text: string, at: number): Tense {
  const sentence = sentenceAround(text, at);
  if (STRONG_FUTURE.test(sentence)) return "future";
  if (PAST.test(sentence)) return "past";
  return FUTURE.test(sentence) ? "future" : "unknown";
}

/** Whether what is said happens again and again, so that no single date is meant. */
export function isHabit(text: string, at: number): boolean {
  return HABIT.test(sentenceAround(text, at));
}

const STRONG_FUTURE =
  /\b(?:will|won't|gonna|going to (?!the\b)|can't wait|look(?:ing)? forward|planning|plans? (?:to|for)|hop(?:e|ing) to|scheduled|remind me)\b|\b\w+['’]ll\b|打算|计划|准备|将要|将会|预计|期待|要去|会去|记得提醒/i;
const FUTURE =
  /\b(?:upcoming|want to|would like|let's|shall|should|must|need to|due|deadline|leaves|arrives|starts|begins|opens|may|might|am \w+ing|are \w+ing|is \w+ing)\b|要|会|将|快要|即将|想/i;
const PAST =
  /\b(?:was|were|had|did|didn't|wasn't|weren't|went|saw|got|made|met|took|came|bought|told|said|gave|felt|found|left|ran|ate|began|won|lost|heard|thought|kept|spent|wrote|read|sent|drove|flew|has been|have been|back in|[a-z]{2,}ed)\b|了|过|曾|刚|当时|那时|以前/i;
const HABIT =
  /\b(?:every|each|usually|always|often|daily|weekly|monthly|annually|whenever|typically)\b|每|通常|经常|总是|平时|一般/i;

function sentenceAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 200), at);
  const after = text.slice(at, at + 200);
  const from = before.search(/[^.!?。！？\n]*$/);
  const to = after.search(/[.!?。！？\n](?:\s|$)|[。！？\n]/);
  return before.slice(from) + (to < 0 ? after : after.slice(0, to));
}
