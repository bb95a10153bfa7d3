/** What a dialogue tells, sentence by sentence, as judgments with a type, a reason and tags; read by rules. */
import { scoreEmotions } from "../../text/emotions.ts";
import { extractKeywords } from "../../text/keywords.ts";
import { isStopWord } from "../../text/stop-words.ts";
import { findTimes } from "../../text/time.ts";
import { splitWords } from "../../text/words.ts";
import { type Line, referenceOf } from "../dialogue.ts";
import type { MemoryType } from "../memory-types.ts";
import { distinctTexts } from "../reply-forms.ts";
import { contentWords } from "../rules/statement.ts";
import { compressedEntry } from "./compressed-entry.ts";
import { type DialogueFact, dialogueFacts } from "./dialogue-facts.ts";

export interface JudgedMemory {
  readonly type: MemoryType;
  readonly judgment: string;
  readonly reasoning: string;
  readonly tags: string[];
  readonly sources: number[];
}

export async function judgedMemories(lines: readonly Line[], maxTags: number): Promise<JudgedMemory[]> {
  const speakers = distinctTexts(lines.map(({ speaker }) => speaker));
  const memories: JudgedMemory[] = [];
  for (const fact of await dialogueFacts(lines)) {
    const { persons, entities, location, sources } = await compressedEntry(fact, speakers);
    const names = [...persons, ...entities, ...(location === null ? [] : [location])];
    memories.push({
      type: typeOf(fact, lines[fact.line]),
      judgment: fact.text,
      reasoning: reasonOf(fact),
      tags: tagsOf(names, fact.said).slice(0, maxTags),
      sources,
    });
  }
  return memories;
}

/** Who said it, in whose words: the evidence. */
function reasonOf({ speaker, said }: DialogueFact): string {
  const [open, close, colon] = /\p{Script=Han}/u.test(said) ? ["“", "”", "："] : ['"', '"', ": "];
  return speaker === "" ? `${open}${said}${close}` : `${speaker}${colon}${open}${said}${close}`;
}

/**
 * Names first, then the words of what was said, as they are written there: a phrase is seldom said again word for word. Not
 * what was only reckoned from it, such as a date.
 */
function tagsOf(names: readonly string[], said: string): string[] {
  const words = wordsOf(said);
  const telling = words.filter((word) => !isEmpty(word) && contentWords(word).size > 0);
  const phrases = extractKeywords(said).map(({ text }) => text);
  return distinctTexts([...names, ...telling, ...phrases]).filter(
    (tag) => [...tag].length > 1 && !isEmpty(tag) && !/^[\p{N}\p{P}\s]+$/u.test(tag),
  );
}

/** Words; characters that no dictionary puts into a word are one together, as names of pets and dishes are: 旺财. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let end = -1;
  for (const { text: word, index } of splitWords(text)) {
    const isSingle = /^\p{Script=Han}$/u.test(word) && !isStopWord(word);
    if (isSingle && end === index) words.push(`${words.pop() ?? ""}${word}`);
    else words.push(word);
    end = isSingle ? index + word.length : -1;
  }
  return words;
}

/** A stop word, or nothing but stop words written together: 我的. */
function isEmpty(word: string): boolean {
  return isStopWord(word.toLowerCase()) || (/^\p{Script=Han}+$/u.test(word) && [...word].every(isStopWord));
}

const TASK =
  /\b(?:will|going to|plan(?:s|ning)? to|need(?:s)? to|have to|has to|must|deadline|due|to-?do|appointment|working on)\b|打算|计划|准备|需要|必须|截止|待办|预约|正在(?:做|写|准备)|要去/iu;
const SKILL =
  /\b(?:how to|the trick is|first[, ].*\bthen\b|you (?:can|should) .*\bby\b|step by step|recipe|make sure to)\b|怎么做|步骤|诀窍|先.{1,20}(?:再|然后)|方法是|技巧/iu;
const PAST =
  /\b(?:was|were|did|had|went|came|got|made|saw|met|took|bought|won|lost|said|told|felt|\p{L}{3,}ed)\b|[^不]了(?:$|[，。！,!.])|过(?:$|[，。！,!.])|\p{Script=Han}了\p{Script=Han}/u;
const STRONG = 0.45;

/** The surest sign first: what is to be done, how it is done, how it feels, what happened. */
function typeOf({ said }: DialogueFact, line: Line | undefined): MemoryType {
  if (SKILL.test(said)) return "skill";
  if (TASK.test(said)) return "task";
  if (Math.max(...Object.values(scoreEmotions(said))) >= STRONG) return "emotional";
  const reference = line === undefined ? undefined : referenceOf(line);
  const hasTime = reference !== undefined && findTimes(said, reference).length > 0;
  return hasTime || PAST.test(said) ? "event" : "knowledge";
}
