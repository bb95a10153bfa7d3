/** Which sentence of the memories answers a question best, and with which words? */
import { asksTheSame } from "../../text/asks-the-same.ts";
import { splitSentences } from "../../text/sentences.ts";
import { namesHabit, type TimeReference } from "../../text/time.ts";
import { type MemoryText, referenceOf } from "../dialogue.ts";
import { answerKindOf, timeAskedOf } from "./question.ts";
import { rankByRelevance } from "./relevance.ts";
import { saidBy } from "./said-by.ts";
import { asAnswer, dayOf, type SentenceInContext, shortAnswer } from "./short-answer.ts";

export interface BestAnswer {
  readonly answer: string;
  readonly sentence: string;
  /** Which memory it stands in. */
  readonly memory: number;
}

/**
 * `now`: when it is asked. Undefined if no memory has enough to do with the question, or none says yes or no where that is
 * asked.
 */
export async function bestAnswer(
  question: string,
  memories: readonly MemoryText[],
  now?: TimeReference,
): Promise<BestAnswer | undefined> {
  const kind = answerKindOf(question);
  const ranked = rankSentences(question, memories, now);
  const enough = NEARLY * (ranked[0]?.covered ?? 0);
  let fallback: BestAnswer | undefined;
  for (const sentence of ranked.slice(0, LOOKED_AT).filter(({ covered }) => covered >= enough)) {
    const { memory, text, who } = sentence;
    const words = (await shortAnswer(question, kind, sentence))?.trim();
    if (words !== undefined && words !== "") return { answer: words, sentence: text, memory };
    // A sentence that only touches on it is neither yes nor no, and what is asked has not happened.
    if (kind === "yes_no" || (kind === "time" && sentence.isAsked)) continue;
    const hasDay = memories[memory]?.happenedAt !== undefined && !namesHabit(text);
    const day = kind === "time" && hasDay ? dayOf(sentence) : undefined;
    const quoted = who === "" ? asAnswer(sentence) : `${who}: ${asAnswer(sentence)}`;
    fallback ??= { answer: day ?? quoted, sentence: text, memory };
  }
  return fallback;
}

/**
 * The first of the memories that tells something, word for word, for whoever knows from elsewhere that it is likely to hold the
 * answer. Undefined where yes or no is asked: a memory that is only near says neither.
 */
export function quotedAnswer(question: string, memories: readonly MemoryText[]): BestAnswer | undefined {
  if (answerKindOf(question) === "yes_no") return undefined;
  const memory = memories.findIndex((one, number) =>
    sentencesOf(one, number).some(({ isAsked }) => !isAsked),
  );
  const told = memories[memory];
  if (told === undefined) return undefined;
  const { who, said } = saidBy(told.text);
  const text = asAnswer({ text: said, reference: referenceOf(told) });
  return { answer: who === "" ? text : `${who}: ${text}`, sentence: told.text, memory };
}

const LOOKED_AT = 5;
/** A sentence is looked at only if it covers so much of what the best one does: a place in another one is another place. */
const NEARLY = 0.7;
/** The part of the question's weight that a memory must cover for its sentences to count. */
const COVERED = 0.3;

interface Candidate extends SentenceInContext {
  readonly memory: number;
  /** Who says it; "" if that is not said. */
  readonly who: string;
  readonly isAsked: boolean;
  /** It is all that the memory says. */
  readonly isAlone: boolean;
}

/**
 * The sentences of the memories that bear on the question, best first: by what they cover themselves and with their memory.
 * Of those that cover the same, what tells before what asks; then what was said last where it is asked how things are, and first
 * where how they were before.
 */
function rankSentences(
  question: string,
  memories: readonly MemoryText[],
  now: TimeReference | undefined,
): (Candidate & { readonly covered: number })[] {
  const meant = question.replace(OCCUPATION, " work 工作");
  // "on National Day" is in the memory as it is asked, or as the date it falls on.
  const wordings = now === undefined ? [meant] : [meant, asAnswer({ text: meant, reference: now })];
  const whole = coverages(wordings, memories.map(wholeText));
  // Asked before, it covers the question as nothing else does, and does not answer it.
  const sentences = memories
    .flatMap((memory, number) => sentencesOf(memory, number))
    .filter(({ text, isAsked }) => !isAsked || !asksTheSame(text, question));
  const own = coverages(wordings, sentences.map(spokenText));
  const times = { present: -1, before: 1, past: 0 } as const;
  const direction = times[timeAskedOf(question)];
  return sentences
    .map((sentence, place) => ({ sentence, around: whole[sentence.memory] ?? 0, own: own[place] ?? 0 }))
    .filter(({ sentence, around, own: said }) => around >= COVERED && (said > 0 || sentence.isAlone))
    .map(({ sentence, around, own: said }) => ({ ...sentence, covered: around + said }))
    .sort(
      (a, b) =>
        b.covered - a.covered ||
        Number(a.isAsked) - Number(b.isAsked) ||
        direction * ((a.reference?.at ?? 0) - (b.reference?.at ?? 0)),
    );
}

/** In the wording that covers more. */
function coverages(wordings: readonly string[], texts: readonly string[]): number[] {
  const found = new Array<number>(texts.length).fill(0);
  for (const question of new Set(wordings))
    for (const { index, coverage } of rankByRelevance(question, texts))
      found[index] = Math.max(found[index] ?? 0, coverage);
  return found;
}

/** With what is known of the memory: it helps to find the answer, but is not the answer. */
function wholeText(memory: MemoryText): string {
  const { persons, entities, location, topic } = memory;
  const { who, said } = saidBy(memory.text);
  const text = spokenText({ text: said, reference: referenceOf(memory) });
  return [who, text, ...persons, ...entities, location ?? "", topic ?? ""].join(" ");
}

/** As it was said and as it is meant: the day that "yesterday" was; who moved somewhere lives there, who is a nurse works. */
function spokenText(sentence: SentenceInContext): string {
  const meant = asAnswer(sentence);
  const home = MOVING.test(sentence.text) ? "live 住 住在" : "";
  const work = WORKING.test(sentence.text) ? "work 工作" : "";
  return [sentence.text, meant === sentence.text ? "" : meant, home, work].join(" ");
}

/** "What does Tom do?" asks for his work; "what did he do?" for something else. */
const OCCUPATION =
  /(?<=^\W{0,4}what (?:do|does) \S.{0,40}) do(?: (?:for (?:an? |his |her |your |my )?(?:living|work|job)|as a job|professionally))?(?=\W*$)|(?:是(?:做|干)什么的|(?:做|从事)什么(?:工作|职业))(?=[？?。\s]*$)/iu;
const WORKING =
  /\b(?:work(?:s|ed|ing)? (?:as|at|for|in|with)|(?:I|he|she)(?:['’](?:m|s)| am| is)(?: now| still)? an? (?:\p{L}+ ){0,2}\p{L}*(?:er|or|ist|ian|ant|nurse|chef|clerk|judge|pilot|student)(?! of)|(?:my|his|her) (?:job|profession|work)\b)|上班|任职|职业|是(?:一名|一位|名|个)?\p{Script=Han}{0,4}(?:师|生|员|士|家|工|长|司机|律师|演员|记者)/iu;

const MOVING =
  /\b(?:I|we|he|she|they|\p{Lu}\p{L}+)(?:['’](?:ve|m|re|s)| have| has| am| are| is)?(?: just| finally| recently)? (?:mov(?:ed|ing)|relocat(?:ed|ing))(?: away| out)?(?: (?:from|of)(?: [\p{L}'’.-]+){1,4}?)? (?:in|into|to|back)\b|搬(?:到|去|进|回|家)|租(?:在|住)|定居/u;

/** What is asked in a memory answers nothing, unless nothing else is said in it. */
function sentencesOf(memory: MemoryText, number: number): Candidate[] {
  const reference = referenceOf(memory) ?? { at: 0, zone: "UTC" };
  const { who, said } = saidBy(memory.text);
  const all = splitSentences(said).map(({ text }) => text);
  const told = all.filter((text) => !/[?？]["'”’」』）)\]\s]*$/u.test(text));
  const isAsked = told.length === 0;
  const isAlone = all.length === 1;
  return (isAsked ? all : told).map((text) => ({ text, reference, memory: number, who, isAsked, isAlone }));
}
