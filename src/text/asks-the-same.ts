/**
 * Does a text only ask what is asked? Then somebody asked it before, and there is nothing in it that could answer: it ends in a
 * question, its words stand in the question in the same order, and are half of it or more. "Ann is in Rome, right?" has the
 * words of "Right, who is in Rome, Ann or Eve?", but does not ask it.
 */
import { endsInQuestion } from "./is-question.ts";
import { splitWords } from "./words.ts";

const LEAST_SHARE = 0.5;

export function asksTheSame(text: string, question: string): boolean {
  if (!endsInQuestion(text)) return false;
  const asked = unitsOf(question);
  const words = unitsOf(text);
  if (words.length === 0 || words.length < LEAST_SHARE * asked.length) return false;
  let found = 0;
  for (const word of asked) if (word === words[found]) found++;
  return found === words.length;
}

/** Words, and of Chinese the characters: where one word ends depends on what stands around it. */
function unitsOf(text: string): string[] {
  return splitWords(text.toLowerCase()).flatMap(({ text: word }) =>
    /^\p{Script=Han}/u.test(word) ? [...word] : [word],
  );
}
