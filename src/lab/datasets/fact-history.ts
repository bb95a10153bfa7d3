/**
 * Which fact tells the answer to a question, and what did the same fact say before? Facts of one subject and relation are the
 * same sentence but for the part that differs. The telling fact is the one that holds an answer and most of the question's
 * words, the last of them; its frame, what stands around the answer, finds the others.
 *
 * What held is given as whole statements, not as bare values: of the 137 questions in the lists of 6k and 32k whose value
 * changed, 111 have an older value that is also said of something else, and a bare "London" in a hit would not tell whose.
 */
import { tokenize } from "../../text/tokenize.ts";

export interface FactHistory {
  /** Place of the fact that tells the answer. */
  readonly place: number;
  readonly newest: string;
  /** What it said before, the oldest first; [] where it never changed. */
  readonly older: readonly string[];
  /** Whether a later fact says otherwise, so that the answer is not the newest. */
  readonly isOverridden: boolean;
}

/** The words of the facts, once for all questions. */
export function factWords(facts: readonly string[]): readonly ReadonlySet<string>[] {
  return facts.map((fact) => new Set(tokenize(fact)));
}

export function factHistory(
  question: string,
  answers: readonly string[],
  facts: readonly string[],
  words: readonly ReadonlySet<string>[],
): FactHistory | undefined {
  const asked = new Set(tokenize(question));
  let found: { place: number; answer: string; shared: number } | undefined;
  for (const [place, fact] of facts.entries()) {
    const answer = answers.find((one) => placeOf(fact, one) >= 0);
    if (answer === undefined) continue;
    const shared = countShared(asked, words[place] ?? []);
    if (shared >= (found?.shared ?? 1)) found = { place, answer, shared };
  }
  const telling = found === undefined ? undefined : facts[found.place];
  if (found === undefined || telling === undefined) return undefined;
  const at = placeOf(telling, found.answer);
  const [before, after] = [telling.slice(0, at), telling.slice(at + found.answer.length)];
  // A frame without any word of the question would be everybody's.
  if (countShared(asked, tokenize(before + after)) === 0) return undefined;
  const isSame = (fact: string): boolean =>
    fact !== telling &&
    fact.length > before.length + after.length &&
    fact.startsWith(before) &&
    fact.endsWith(after);
  return {
    place: found.place,
    newest: statement(telling),
    older: [...new Set(facts.slice(0, found.place).filter(isSame).map(statement))],
    isOverridden: facts.slice(found.place + 1).some(isSame),
  };
}

function countShared(asked: ReadonlySet<string>, words: Iterable<string>): number {
  let shared = 0;
  for (const word of words) if (asked.has(word)) shared++;
  return shared;
}

/** Without the stop at its end. */
function statement(fact: string): string {
  return fact.replace(/[.。]\s*$/u, "");
}

/** Where a part stands last in a text, as whole words, whatever the case; −1 where it does not. */
function placeOf(text: string, part: string): number {
  const [low, wanted] = [text.toLowerCase(), part.toLowerCase()];
  // Lowering may change the length ("İ"); places must be those of the text.
  const [where, what] = low.length === text.length ? [low, wanted] : [text, part];
  for (let at = where.lastIndexOf(what); at >= 0; at = at === 0 ? -1 : where.lastIndexOf(what, at - 1)) {
    const isWhole = !isGlued(where[at - 1], what[0]) && !isGlued(what.at(-1), where[at + what.length]);
    if (isWhole && what !== "") return at;
  }
  return -1;
}

/** Whether two neighbours belong to one word. Chinese characters stand beside each other without. */
function isGlued(left: string | undefined, right: string | undefined): boolean {
  const isLetter = (one: string | undefined): boolean =>
    one !== undefined && /[[\p{L}\p{N}]--\p{Script=Han}]/v.test(one);
  return isLetter(left) && isLetter(right);
}
