/** Does a text only ask what is asked? Somebody asked it before, and there is nothing in it that could answer. */
import { endsInQuestion } from "./is-question.ts";
import { tokenize } from "./tokenize.ts";

export function asksTheSame(text: string, question: string): boolean {
  if (!endsInQuestion(text)) return false;
  const asked = new Set(tokenize(question));
  const words = tokenize(text);
  return words.length > 0 && words.every((word) => asked.has(word));
}
