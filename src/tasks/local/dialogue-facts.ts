/** What was told in a dialogue, sentence by sentence, each readable by itself? Questions, greetings and fillers tell nothing. */
import { splitSentences } from "../../text/sentences.ts";
import { findTimes } from "../../text/time.ts";
import { type Line, referenceOf, saidIn, timestampOf } from "../dialogue.ts";
import { contentWords } from "../rules/statement.ts";
import { restate, talkAt } from "./restate.ts";

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
    const talk = await talkAt(lines, place);
    for (const said of tellingSentences(saidIn(line))) {
      const text = capitalised(restate(said, talk));
      const key = text.toLowerCase();
      if (!facts.has(key)) {
        facts.set(key, { text, said, speaker: line.speaker, line: place, timestamp: timeOf(said, line) });
      }
    }
  }
  return [...facts.values()];
}

/** The sentences of a text that tell something, without what only opens them; of a question, what is told before it asks. */
export function tellingSentences(text: string): string[] {
  return splitSentences(text)
    .map((sentence) => sentence.text.replace(OPENER, "").trim())
    .map((sentence) => (isQuestion(sentence) ? toldBefore(sentence) : sentence))
    .filter((sentence) => !isSmallTalk(sentence) && contentWords(sentence).size >= FEWEST);
}

/** The sentences of several texts that tell something; all texts, if none does. */
export function telling(texts: readonly string[]): readonly string[] {
  const told = texts.flatMap(tellingSentences);
  return told.length > 0 ? told : texts;
}

const FEWEST = 2;
const OPENER =
  /^(?:(?:wow|oh|hey|hi|hello|yeah|yes|yep|no|nope|well|haha\w*|ah|aw+|hmm+|sure|okay|ok|so|and|but|anyway|btw|by the way|guess what|actually|honestly|thanks(?: so much)?|thank you(?: so much)?)(?:[,:!.…~\s]+|\s*[-–—]\s*))+|^(?:(?:哈+|嗯+|哦+|啊+|哎+|嘿|嗨|[你您]好|是的|对|好的|好啊|当然(?:了|可以)?|不客气|没关系|没问题|太好了|谢谢|那|不过|其实|对了|话说|(?:我?(?:要|想)?告诉你|跟你说|你猜怎么着)(?:一?[件个](?:好?消息|事))?)[，,：:。！!～~\s]+)+/iu;
const SMALL_TALK =
  /^(?:(?:(?:hi|hey|hello|dear|good (?:morning|evening|night))(?: \p{L}+){0,2}|good luck|take care|see you|talk (?:to you )?(?:soon|later)|let me know|no worries|no problem|you're welcome|have (?:a|fun)|congrat\w*|happy (?:birthday|new year)|that(?:'s| is| sounds?) (?:so |really |very |such )?(?:\w+ ?){1,2}|sounds? (?:so |really )?\w+|i (?:see|know|agree|understand|hope so)|of course|how (?:nice|cool|great|lovely).*|(?:good|great|nice|lovely) to (?:see|hear|meet|talk).*|take a look.*|(?:totally|completely|couldn't) agree.*|what an? .*|(?:i )?love (?:that|this|it|your).{0,20})|(?:(?:你|您|大家)好.{0,6}|(?:早上|上午|中午|下午|晚上)好.{0,6}|加油|保重|恭喜.{0,6}|生日快乐|没问题|不客气|太(?:好|棒|厉害)了.{0,3}|听起来.{1,6}|真(?:好|棒|不错).{0,3}|我(?:知道|明白|同意)了?|谢谢.{0,8}))[\s\p{P}\p{S}]*$/iu;
/** Praise of what the other one said, unless it goes on about oneself. */
const PRAISE =
  /^(?:(?:so|really|that's|it's|i'm|i am) )*(?:so )?(?:cool|glad|great|nice|awesome|amazing|wonderful|proud of|sounds|looks|happy for)\b(?!.*\b(?:I|my|me|we)\b)/iu;

function isSmallTalk(sentence: string): boolean {
  const addressed = sentence.replace(/,\s*\p{Lu}\p{L}+(?=[\s\p{P}]*$)/u, "");
  return SMALL_TALK.test(addressed) || PRAISE.test(addressed);
}

function isQuestion(sentence: string): boolean {
  return /[?？]["'”’」』）)\s]*$/u.test(sentence) || /(?:吗|呢)[。.]?$/u.test(sentence);
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
