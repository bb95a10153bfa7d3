/**
 * Does a sentence only keep the talk going? Thanks, praise, cheering on, agreeing, greeting: all of which tell nothing that
 * lasts or happened. A sentence is small talk if every clause of it is, so that "Thanks, I moved to Rome" is none. In doubt
 * it is none: to lose what was told is worse than to keep an empty sentence.
 */
import { CHINESE_SMALL_TALK, ENGLISH_SMALL_TALK } from "./small-talk-forms.ts";

export function isSmallTalk(sentence: string): boolean {
  const clauses = sentence.replaceAll("’", "'").split(CLAUSE).map(bare);
  return clauses.every((clause) => clause === "" || isEmptyClause(clause));
}

/** Behind a comma, a dash, a mark within the sentence; "but" and 但是 turn to something else. */
const CLAUSE =
  /[,，;；:：!！.。…~～?？]+|\s+[-–—]+\s+|[–—]{1,2}|--+|,?\s+but\s+|\s+(?=and (?:that|it|you|i)\b)/iu;

function bare(clause: string): string {
  return clause
    .replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, "")
    .replace(CONNECTIVE, "")
    .replace(/\s+/gu, " ");
}

const CONNECTIVE =
  /^(?:(?:and|but|so|well|plus|also|then)\s+(?!(?:am|are|is|was)\b))+|^(?:但是?|不过|而且|那么?|所以|其实|可是|然后)(?=.)/iu;

function isEmptyClause(clause: string): boolean {
  if (/\p{Script=Han}/u.test(clause)) return CHINESE_SMALL_TALK.test(clause);
  // A word by itself is a name that is called, or an exclamation.
  return !clause.includes(" ") || ENGLISH_SMALL_TALK.test(clause);
}
