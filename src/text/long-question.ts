/** What is asked of a text that is too long to be asked whole: who pastes a document asks about it before it or behind it. */

const LONGEST_QUESTION = 4000;

export function shortenedQuestion(text: string): string {
  if (text.length <= LONGEST_QUESTION) return text;
  const half = LONGEST_QUESTION / 2;
  return `${text.slice(0, half)}\n${text.slice(-half)}`.toWellFormed();
}
