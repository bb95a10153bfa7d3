/** Which part of a sentence answers the question? The time, person, place or number it names that the question does not. */
import { findEntities } from "../../text/entities.ts";
import type { EntityKind } from "../../text/entity.ts";
import { simplify } from "../../text/simplify.ts";
import { findTimes, makeTimesAbsolute, type TimeReference } from "../../text/time.ts";
import { findTriples } from "../../text/triples.ts";
import { deniesPartOf, oppositionOf } from "../rules/polarity.ts";
import { contentWords, plainText } from "../rules/statement.ts";
import { type AnswerKind, questionWords, statementOf, timeAskedOf } from "./question.ts";

export interface SentenceInContext {
  readonly text: string;
  /** When it was said; relative times are meant from there. */
  readonly reference: TimeReference | undefined;
}

/** The answer's words, or undefined if the sentence names nothing of the kind. */
export async function shortAnswer(
  question: string,
  kind: AnswerKind,
  given: SentenceInContext,
): Promise<string | undefined> {
  const isOfBefore = timeAskedOf(question) === "before";
  const sentence = isOfBefore ? given : { ...given, text: withoutLeft(question, given.text) };
  switch (kind) {
    case "time":
      return timeIn(sentence, question);
    case "duration":
      return DURATION.exec(sentence.text)?.[0];
    case "person":
      return namesIn(question, sentence.text, ["person"]);
    case "place":
      return namesIn(question, sentence.text, ["place", "organisation"]);
    case "number":
      return NUMBER.exec(withoutTimes(sentence))?.[0];
    case "reason":
      return REASON.exec(sentence.text)?.[0];
    case "yes_no":
      return yesOrNo(question, asAnswer(sentence));
    default:
      return objectIn(question, sentence.text);
  }
}

/** Whether the sentence holds something of the kind that is asked for; kinds without a form always are. */
export async function holdsKind(
  question: string,
  kind: AnswerKind,
  sentence: SentenceInContext,
): Promise<boolean> {
  if (kind === "thing" || kind === "manner" || kind === "list") return true;
  return (await shortAnswer(question, kind, sentence)) !== undefined;
}

/** What was meant or so at first, where the sentence goes on with what came of it. */
const GIVEN_UP =
  /(?:本来|原本|原先|原来)[^，,；;。]*[，,；;]|\b(?:originally|at first|initially)\b[^.]*?[,;]\s*(?=but|now|then|instead|and)|(?<=\b(?:I|we|he|she|they) )(?:used to|wanted to|was going to|were going to|had planned to)\b[^.]*?[,;]\s*(?=but|now|instead)/iu;
/** Where one comes from who goes elsewhere: "moved from Berlin to Rome", 从北京搬到上海. */
const LEFT =
  /(?<=\b(?:mov(?:ed|ing)|relocat(?:ed|ing)|switch(?:ed|ing)|chang(?:ed|ing)) )(?:away |out )?(?:from|of) [^.,;]{1,40}? (?=(?:back )?(?:to|into) )|从[^，,；;。]{1,12}?(?=搬|换|转|调|跳槽)/iu;

function withoutLeft(question: string, text: string): string {
  const told = text.replace(GIVEN_UP, "");
  return /\bfrom\b|从/iu.test(question) ? told : told.replace(LEFT, "");
}

const NUMBER =
  /\d[\d,.]*(?:\s?(?:%|percent|years? old|dollars?|miles?|km|kg|岁|元|块|公里|个|次|只|本))?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|once|a dozen|a hundred)\b|[一二两三四五六七八九十百千万]+(?:个|岁|次|只|本|位|元|块|条|公里|人|年)/iu;
const DURATION =
  /(?:for |about |over |around )?(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|a few|many) (?:years?|months?|weeks?|days?|hours?|minutes?)|(?:\d+|[一二两三四五六七八九十几半]+)(?:年|个月|个星期|周|天|个?小时|分钟)/iu;
const REASON =
  /\b(?:because|since|due to|so that|in order to|thanks to|to (?=\w+ (?:for|the|my|his|her|their)))\s?.+$|(?:因为|由于|为了|多亏).+$/iu;

/** "What did Mia paint?" – "Mia painted a sunrise": the object of the verb that was asked about. */
async function objectIn(question: string, sentence: string): Promise<string | undefined> {
  const asked = questionWords(question);
  const fitting = (await findTriples(sentence)).filter(({ relation, object }) => {
    const isAsked = [...contentWords(relation)].some((word) => asked.has(word));
    return isAsked && [...contentWords(object)].some((word) => !asked.has(word));
  });
  return fitting[0]?.object;
}

/** The day on which it was said, in the language of the sentence: most of what people tell has just happened. */
export function dayOf({ text, reference }: SentenceInContext): string | undefined {
  if (reference === undefined) return undefined;
  return timeIn({ text: /\p{Script=Han}/u.test(text) ? "今天" : "today", reference });
}

/** The first time, or that of the clause which speaks most of what is asked. */
function timeIn({ text, reference }: SentenceInContext, question = ""): string | undefined {
  const times = reference === undefined ? [] : findTimes(text, reference);
  const asked = [...questionWords(question)];
  const spoken = times.map(({ index }) => {
    const clause = clauseAround(text, index);
    return asked.filter((word) => hasWord(clause, word)).length;
  });
  const time = times[spoken.indexOf(Math.max(...spoken))];
  if (time === undefined) return undefined;
  const words = time.relative ? time.absolute : time.text;
  return words.replace(/^(?:on|in|at|since|by|from)\s+/i, "");
}

function clauseAround(text: string, at: number): string {
  const before = text.slice(0, at).replace(/^.*[,;:，；：、]/su, "");
  return before + text.slice(at).replace(/[,;:，；：].*$/su, "");
}

function withoutTimes({ text, reference }: SentenceInContext): string {
  if (reference === undefined) return text;
  let out = text;
  for (const time of findTimes(text, reference)) out = out.replace(time.text, " ");
  return out;
}

async function namesIn(
  question: string,
  sentence: string,
  kinds: readonly EntityKind[],
): Promise<string | undefined> {
  const asked = plainText(question);
  const names = (await findEntities(sentence)).filter(
    ({ text, kind }) => kinds.includes(kind) && !asked.includes(plainText(text)),
  );
  return names.length === 0
    ? undefined
    : names.map(({ text }) => text).join(/\p{Script=Han}/u.test(sentence) ? "、" : ", ");
}

/** Undefined unless the sentence speaks of all that the question asks about: who moved to Rome need not be married. */
function yesOrNo(question: string, sentence: string): string | undefined {
  const asked = statementOf(question);
  const opposition = oppositionOf(asked, sentence);
  const opposed = contentWords(opposition?.by === "antonym" ? opposition.words[0] : "");
  const isCovered = [...questionWords(asked)].every(
    (word) => opposed.has(word) || FRAMING.has(word) || hasWord(sentence, word),
  );
  if (!isCovered || (isOpen(sentence) && !isOpen(asked))) return undefined;
  // Something that was asked about is denied, but among too much else to tell what that means.
  if (opposition === undefined && deniesPartOf(sentence, asked) !== deniesPartOf(asked, sentence))
    return undefined;
  const isChinese = /\p{Script=Han}/u.test(question);
  if (isChinese) return opposition === undefined ? "是" : "不是";
  return opposition === undefined ? "Yes" : "No";
}

/** Words of a yes-or-no question that its answer need not repeat. */
const FRAMING: ReadonlySet<string> = contentWords("ever yet already 曾经 已经");

/** Wishes, plans and doubts: what is wanted has not happened. */
function isOpen(text: string): boolean {
  return OPEN.test(simplify(text));
}
const OPEN =
  /\b(?:wants?|wanted|wish(?:es|ed)?|hop(?:es?|ed|ing)|plans?|planned|planning|might|may (?:be|have|get|become|go|move|buy)|maybe|perhaps|if|whether|wonders?|consider(?:s|ed|ing)?|think(?:s|ing)? (?:of|about)|would like)\b|想(?!起|念|到)|打算|希望|计划|也许|可能|如果|要是|考虑|是否/iu;

/** Chinese words also within longer ones: where a word ends there is a matter of opinion. */
function hasWord(sentence: string, word: string): boolean {
  return (
    contentWords(sentence).has(word) || (/\p{Script=Han}/u.test(word) && plainText(sentence).includes(word))
  );
}

/** A sentence as an answer: with its times made absolute. */
export function asAnswer({ text, reference }: SentenceInContext): string {
  return reference === undefined ? text : makeTimesAbsolute(text, reference);
}
