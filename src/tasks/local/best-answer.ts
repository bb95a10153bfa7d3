/** Which sentence of the memories answers a question best, and with which words? */
import { splitSentences } from "../../text/sentences.ts";
import { type MemoryText, referenceOf } from "../dialogue.ts";
import { answerKindOf } from "./question.ts";
import { rankByRelevance } from "./relevance.ts";
import { asAnswer, dayOf, type SentenceInContext, shortAnswer } from "./short-answer.ts";

export interface BestAnswer {
  readonly answer: string;
  readonly sentence: string;
  /** Which memory it stands in. */
  readonly memory: number;
}

/** Undefined if no memory has enough to do with the question, or none says yes or no where that is asked. */
export async function bestAnswer(
  question: string,
  memories: readonly MemoryText[],
): Promise<BestAnswer | undefined> {
  const kind = answerKindOf(question);
  let fallback: BestAnswer | undefined;
  for (const sentence of rankSentences(question, memories).slice(0, LOOKED_AT)) {
    const { memory, text } = sentence;
    const words = (await shortAnswer(question, kind, sentence))?.trim();
    if (words !== undefined && words !== "") return { answer: words, sentence: text, memory };
    // A sentence that only touches on it is neither yes nor no.
    if (kind === "yes_no") continue;
    const isDated = memories[memory]?.happenedAt !== undefined;
    const day = kind === "time" && isDated ? dayOf(sentence) : undefined;
    fallback ??= { answer: day ?? asAnswer(sentence), sentence: text, memory };
  }
  return fallback;
}

const LOOKED_AT = 5;
/** The part of the question's weight that a memory must cover for its sentences to count. */
const COVERED = 0.3;

interface Candidate extends SentenceInContext {
  readonly memory: number;
}

/** The sentences of the memories that bear on the question, best first: by what they cover themselves and with their memory. */
function rankSentences(question: string, memories: readonly MemoryText[]): Candidate[] {
  const whole = coverages(question, memories.map(wholeText));
  const sentences = memories.flatMap((memory, number) => sentencesOf(memory, number));
  const own = coverages(
    question,
    sentences.map(({ text }) => text),
  );
  return sentences
    .map((sentence, place) => ({ sentence, around: whole[sentence.memory] ?? 0, own: own[place] ?? 0 }))
    .filter(({ around }) => around >= COVERED)
    .sort((a, b) => b.own + b.around - (a.own + a.around))
    .map(({ sentence }) => sentence);
}

function coverages(question: string, texts: readonly string[]): number[] {
  const found = new Array<number>(texts.length).fill(0);
  for (const { index, coverage } of rankByRelevance(question, texts)) found[index] = coverage;
  return found;
}

/** With what is known of the memory: it helps to find the answer, but is not the answer. */
function wholeText({ text, persons, entities, location, topic }: MemoryText): string {
  return [text, ...persons, ...entities, location ?? "", topic ?? ""].join(" ");
}

/** What is asked in a memory answers nothing, unless nothing else is said in it. */
function sentencesOf(memory: MemoryText, number: number): Candidate[] {
  const reference = referenceOf(memory) ?? { at: 0, zone: "UTC" };
  const all = splitSentences(memory.text).map(({ text }) => text);
  const told = all.filter((text) => !/[?？]["'”’」』）)\]\s]*$/u.test(text));
  return (told.length > 0 ? told : all).map((text) => ({ text, reference, memory: number }));
}
