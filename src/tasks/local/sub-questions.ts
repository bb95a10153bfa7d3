/** Of which simpler questions is a question made? Cut at "and", at question marks, at 以及, where both parts can stand alone. */
import { splitSentences } from "../../text/sentences.ts";
import { contentWords } from "../rules/statement.ts";

const ENGLISH_CUT =
  /\s*(?:,\s*)?\b(?:and|and also|as well as|but|then)\s+(?=(?:who|what|when|where|why|how|which|whose|whom|do|does|did|is|are|was|were|has|have|had|can|could|will|would)\b)|\s*;\s*/iu;
const CHINESE_CUT =
  /\s*(?:，|,|；|;)?\s*(?:以及|还有|并且|而且|同时|和)(?=.*(?:谁|什么|哪|几|多少|多久|怎么|为什么|吗))|[；;]|，(?=.*(?:谁|什么|哪|几|多少|多久|怎么|为什么|吗))/u;
/** Comparisons are two questions about the same thing. */
const ENGLISH_BOTH =
  /^(?<ask>.*?)\b(?:both\s+)?(?<one>\p{Lu}[\p{L}'’-]+)\s+and\s+(?<other>\p{Lu}[\p{L}'’-]+)\b(?<rest>.*)$/u;

/** At least one; the question itself if it is simple. */
export function subQuestions(question: string): string[] {
  const isChinese = /\p{Script=Han}/u.test(question);
  const parts = splitSentences(question).flatMap(({ text }) =>
    text.split(isChinese ? CHINESE_CUT : ENGLISH_CUT),
  );
  const whole = parts
    .map((part) => part.replace(/^[\s,，]+|[\s,，]+$/gu, ""))
    .filter((part) => contentWords(part).size > 0);
  if (whole.length > 1)
    return whole.map((part) => (/[?？]$/.test(part) ? part : `${part}${isChinese ? "？" : "?"}`));
  const [only] = whole;
  if (only === undefined) return [question.trim() || "?"];
  return isChinese ? [only] : bothOf(only);
}

/** "Where did Alice and Bob meet?" stays; "How old are Alice and Bob?" asks of each. */
function bothOf(question: string): string[] {
  const { ask = "", one = "", other = "", rest = "" } = ENGLISH_BOTH.exec(question)?.groups ?? {};
  const isShared = /\b(?:meet|met|together|each other|in common|both|share[ds]?|marr(?:y|ied)|know)\b/i.test(
    question,
  );
  if (one === "" || (isShared && !/\bboth\b/i.test(question))) return [question];
  return [`${ask}${one}${rest}`, `${ask}${other}${rest}`].map((part) => part.replace(/\bboth\s+/i, ""));
}
