/**
 * Which clauses of a sentence are facts of their own? "I moved to Rome and I work at a bank" tells two things, of which one
 * may change without the other. It is cut only where one side states an attribute of somebody (what else changes?) and both
 * can stand by themselves; what is thought, wished, denied or depends on the rest stays whole.
 */
import { attributeFact } from "../rules/attribute-fact.ts";

/** At least one; the sentence itself where nothing is sure. `isTimed` tells whether a text names a time. */
export function toldClauses(sentence: string, isTimed: (text: string) => boolean): string[] {
  const isChinese = /\p{Script=Han}/u.test(sentence);
  const cut = (isChinese ? chineseCuts : englishCuts)(sentence).find(({ left, right }) => {
    if (attributeFact(left) === undefined && attributeFact(right) === undefined) return false;
    // "Last May I left Rome and met Ben": the time is that of both.
    return attributeFact(right) !== undefined || !isTimed(left) || isTimed(right);
  });
  if (cut === undefined) return [sentence];
  const stop = isChinese ? "。" : ".";
  return [ended(cut.left, stop), ...toldClauses(cut.right, isTimed)];
}

interface Cut {
  readonly left: string;
  readonly right: string;
}

/** What is said under a condition, as an opinion, or of somebody who is only described. */
const ENGLISH_GOVERNED =
  /^(?:if|when|while|since|because|although|though|as|after|before|unless|once|whether)\b|\b(?:said|says|told|think|thinks|thought|hope|hopes|wish|wishes|believe|know|feel like|that|because|if|so that|when|while|who|which|where|what|why|how|between|both|either|neither)\b/iu;
/** What points back into the clause before. */
const ENGLISH_BACK =
  /\b(?:it|its|them|they|their|that|this|these|those|there|so|too|either|both|him|her|his|he|she|then|each other)\b/iu;
/** Verbs that a subject before "and" can take, in forms that are no nouns there. */
const SHARED =
  "(?:(?:now|also|still|currently|recently|really|just) )?(?:(?:work|works|worked|live|lives|lived|teach|teaches|taught) (?:at|in|for|as|with|from|on|near)|(?:stud(?:y|ies|ied)|play|plays|played|own|owns|owned|love|loves|like|likes|hate|hates|enjoy|enjoys|prefer|prefers|speak|speaks|have|has|had|am|is|was|got|bought|adopted|joined|became|started|moved|graduated|quit|married)\\b)";
const SUBJECT =
  "(?:I|we|he|she|(?:[Mm]y|[Oo]ur) (?:(?:older|younger|elder|little|big|best|new|old) )?\\p{Ll}+(?: \\p{Lu}\\p{L}+)?|\\p{Lu}\\p{L}+(?: \\p{Lu}\\p{L}+)?)";
const OWN_SUBJECT = /(?:,\s*|\s+)(?:and|but)\s+(?=(?:I|we|my|our)\b)|;\s*(?=(?:I|we|my|our)\b)/giu;
const SHARED_VERB = new RegExp(`\\s+(?:and|but)\\s+(?=${SHARED})`, "gu");
const LEADING_SUBJECT = new RegExp(
  `^(?:[^,]{1,30}, )?(?<subject>${SUBJECT})(?=['’]|\\s(?!and\\b|or\\b))`,
  "u",
);
/** Behind these a verb without an ending is an infinitive, and a denial may reach across "and". */
const REACHES =
  /\b(?:to|will|would|can|could|should|may|might|must|did|do|does|let|never|not|no longer|without|used|going|gonna)\b|n['’]t\b|['’](?:ll|d)\b/iu;

function englishCuts(sentence: string): Cut[] {
  const cuts: Cut[] = [];
  for (const { 0: gap, index } of sentence.matchAll(OWN_SUBJECT)) {
    const [left, right] = [sentence.slice(0, index), sentence.slice(index + gap.length)];
    // "I love my dog and my old cat": no clause.
    const isClause = !/^(?:my|our)\b/iu.test(right) || attributeFact(right) !== undefined;
    if (isClause && isWholeEnglish(left) && isFreeEnglish(right)) cuts.push({ left, right });
  }
  for (const { 0: gap, index } of sentence.matchAll(SHARED_VERB)) {
    const [left, rest] = [sentence.slice(0, index), sentence.slice(index + gap.length)];
    const subject = LEADING_SUBJECT.exec(left)?.groups?.subject;
    // "Mia moved to Rome": the "to" of a place, not of a verb.
    const reaches = REACHES.test(left.replace(/\bto (?=\p{Lu}|(?:the|an?|my|our)\b)/gu, ""));
    if (subject === undefined || reaches) continue;
    const right = `${subject} ${rest}`;
    if (isWholeEnglish(left) && isFreeEnglish(right.replace(subject, "I"))) cuts.push({ left, right });
  }
  return cuts.sort((a, b) => a.left.length - b.left.length);
}

function isWholeEnglish(clause: string): boolean {
  return LEADING_SUBJECT.test(clause) && !ENGLISH_GOVERNED.test(clause) && clause.split(/\s+/u).length >= 3;
}

function isFreeEnglish(clause: string): boolean {
  return !ENGLISH_BACK.test(clause) && clause.split(/\s+/u).length >= 3;
}

const CHINESE_GOVERNED =
  /^(?:如果|要是|虽然|因为|由于|当|只要|除了|比如|自从|每当|既然|即使|不管|无论)|觉得|认为|希望|听说|以为|告诉|说过?|(?:时候?|后|前)$|[？?]/u;
const CHINESE_BACK = /[他她它这那]|^(?:所以|于是|因此|结果|才|就|因为|但是?我?不)/u;
const CHINESE_SUBJECT = /^(?:[^我，,]{0,6})?(?<subject>我(?!们|的|妈|爸|老|家|女|儿|朋|同|哥|姐|弟|妹))/u;
const CHINESE_STATE =
  /^(?:(?:现在|目前|如今|平时|也|还|又|并且?|而且|同时|一直|已经|很|最|特别|非常|比较)*)(?:在[^，,]{1,12}(?:工作|上班|上学|读书|任职)|住在|喜欢|讨厌|热爱|养了?|是一?[名位个]|是[^，,]{1,10}的?一?[名位]|来自|换了?|搬|有一?[个只条]|当)/u;

function chineseCuts(sentence: string): Cut[] {
  const cuts: Cut[] = [];
  for (const { index } of sentence.matchAll(/[，,；;]/gu)) {
    const [left, rest] = [sentence.slice(0, index), sentence.slice(index + 1).trim()];
    const subject = CHINESE_SUBJECT.exec(left)?.groups?.subject;
    if (subject === undefined || CHINESE_GOVERNED.test(left) || CHINESE_BACK.test(rest)) continue;
    const connected = rest.replace(/^(?:并且|而且|同时|并)/u, "");
    if (/^(?:现在|目前)?我(?!们)/u.test(rest)) cuts.push({ left, right: rest });
    else if (CHINESE_STATE.test(connected)) cuts.push({ left, right: `${subject}${connected}` });
  }
  return cuts;
}

function ended(clause: string, stop: string): string {
  return /[.!?。！？…]$/u.test(clause) ? clause : `${clause.trim()}${stop}`;
}
