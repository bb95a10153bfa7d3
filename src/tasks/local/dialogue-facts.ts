/** What was told in a dialogue, sentence by sentence, each readable by itself? Questions, greetings and fillers tell nothing. */
import { splitSentences } from "../../text/sentences.ts";
import { findTimes } from "../../text/time.ts";
import { type Line, referenceOf, timestampOf } from "../dialogue.ts";
import { attributeFacts } from "../rules/attribute-fact.ts";
import { contentWords } from "../rules/statement.ts";
import { restate, talkAt } from "./restate.ts";
import { isSmallTalk } from "./small-talk.ts";
import { toldClauses } from "./told-clauses.ts";

export interface DialogueFact {
  /** The sentence, restated. */
  readonly text: string;
  /** As it was said. */
  readonly said: string;
  readonly speaker: string;
  /** Which line it was said in. */
  readonly line: number;
  /** The time it speaks of, or else when it was said; ISO 8601. */
  readonly timestamp: string | undefined;
}

/** In the order they were told, none twice. `from`: the first line that is read; those before it tell who is meant. */
export async function dialogueFacts(lines: readonly Line[], from = 0): Promise<DialogueFact[]> {
  const facts = new Map<string, DialogueFact>();
  for (const [place, line] of lines.entries()) {
    if (place < from) continue;
    const told = tellingSentences(line.text).flatMap((sentence) => toldIn(sentence, line));
    const shown = line.captions.filter((caption) => contentWords(caption).size > 0);
    const talk = told.length > 0 ? await talkAt(lines, place, told) : {};
    const found = [
      ...told.map((said) => ({ said, text: restate(said, talk) })),
      ...shown.map((said) => ({ said, text: shownBy(line.speaker, said) })),
    ];
    for (const { said, text } of found) {
      const key = text.toLowerCase();
      if (facts.has(key)) continue;
      const timestamp = timeOf(said, line);
      facts.set(key, { text: capitalised(text), said, speaker: line.speaker, line: place, timestamp });
    }
  }
  return [...facts.values()];
}

function toldIn(sentence: string, line: Line): string[] {
  const reference = referenceOf(line);
  return toldClauses(sentence, (text) => reference !== undefined && findTimes(text, reference).length > 0);
}

/** What a picture shows is a fact by itself: nobody knows which sentence it belongs to. */
function shownBy(speaker: string, caption: string): string {
  const bare = caption.trim().replace(/[.。]+$/u, "");
  const isChinese = /\p{Script=Han}/u.test(caption);
  if (speaker.trim() === "") return isChinese ? `图片：${bare}。` : `Picture: ${bare}.`;
  return isChinese ? `${speaker}给大家看：${bare}。` : `${speaker} shows ${bare}.`;
}

/** The sentences of a text that tell something, without what only opens them; of a question, what is told before it asks. */
export function tellingSentences(text: string): string[] {
  return splitSentences(text)
    .map((sentence) => sentence.text.replace(OPENER, "").trim())
    .map((sentence) => (isQuestion(sentence) ? toldBefore(sentence) : sentence))
    .filter((sentence) => !isSmallTalk(sentence) && tellsEnough(sentence));
}

/** "I'm a teacher" and "I'm vegan" are short and tell much; "I agree" tells nothing. */
function tellsEnough(sentence: string): boolean {
  if (contentWords(sentence.replace(ADDRESS, "")).size >= FEWEST) return true;
  return IS_SOMETHING.test(sentence) || attributeFacts(sentence).length > 0;
}

const IS_SOMETHING =
  /^(?:i'm|i’m|i am|we're|we’re|we are) (?:(?:an?|from) \p{L}{3,}|vegan|vegetarian|pregnant|diabetic|retired|unemployed|self-employed|gay|lesbian|bisexual|trans(?:gender)?|deaf|blind|adopted|left-handed)\b/iu;

/** The sentences of several texts that tell something; all texts, if none does. */
export function telling(texts: readonly string[]): readonly string[] {
  const told = texts.flatMap(tellingSentences);
  return told.length > 0 ? told : texts;
}

const FEWEST = 2;
/** ", John!" calls somebody. */
const ADDRESS = /,\s*\p{Lu}\p{L}+(?=[\s\p{P}]*$)/u;
/** What opens a sentence without telling anything, with the name of whom it is said to. */
const OPENER = new RegExp(`^(?:${openers()})+`, "u");

function openers(): string {
  const calls =
    "wow|woah|whoa|oh|hey|hi|hello|yeah|yea|yes|yep|yup|no|nope|well|haha\\w*|ah|aw+|hmm+|sure|okay|ok|cool|definitely|anyway|btw|by the way|guess what|actually|honestly|congrats|(?:thanks|thank you)(?: so much| a lot| for [^,.!?]{1,40})?";
  const joins =
    "wow|oh|yeah|yes|well|haha\\w*|hmm+|okay|ok|so|and|but|anyway|btw|by the way|guess what|actually|honestly";
  const chinese =
    "哈+|嗯+|哦+|啊+|哎+|呃+|嘿|嗨|[你您]好[啊呀]?|(?:老|亲爱的)?朋友|是的|是啊|对|好的|好啊|当然(?:了|啦|可以)?|不客气|没关系|没问题[呀啊]?|太好了|谢谢(?:[你您](?:的[^，,。！!]{1,6})?)?|那|不过|其实|对了|话说|(?:我?(?:要|想)?告诉你|跟你说|你猜怎么着)(?:一?[件个](?:好?消息|事))?";
  const name = "(?:\\p{Lu}\\p{L}+)";
  return [
    `(?i:${calls})(?: (?!I\\b)${name})?(?:[,:!.…~]+\\s*|\\s+[-–—]\\s+)(?:${name}[,!]\\s*)?`,
    `(?i:${joins})\\s+`,
    `(?:${chinese})[，,：:。！!～~\\s]+`,
  ].join("|");
}

function isQuestion(sentence: string): boolean {
  return (
    /[?？]["'”’」』）)\s]*$|(?:吗|[怎什哪谁几].*呢)[。.]?$/u.test(sentence) ||
    /^(?:do|does|did|have|are|can|could|would|will) you\b/iu.test(sentence)
  );
}

/** "我喜欢品茶，有什么书可以推荐吗？" tells that somebody likes tea. */
function toldBefore(question: string): string {
  const clauses = question.split(/[，,；;—]|\s[-–]\s/u);
  const told = clauses.slice(0, -1).filter((clause) => !ASKS.test(clause));
  const isOwn = told.some((clause) => /\b(?:I|I'm|I've|my|we|our)\b|我/u.test(clause));
  if (!isOwn) return "";
  const [comma, stop] = /\p{Script=Han}/u.test(question) ? ["，", "。"] : [", ", "."];
  return `${told.map((clause) => clause.trim()).join(comma)}${stop}`;
}

const ASKS =
  /^\s*(?:and |but |so )?(?:who|what|when|where|why|how|which|do|does|did|is|are|was|were|can|could|will|would|have|has|any)\b|谁|什么|哪|怎么|为什么|多少|几|吗/iu;

/** The first time that the sentence names, else the moment it was said. */
function timeOf(sentence: string, line: Line): string | undefined {
  const reference = referenceOf(line);
  if (reference === undefined) return undefined;
  const [time] = findTimes(sentence, reference);
  return time?.iso ?? timestampOf(line);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
