/**
 * Whose own words would answer a question? Those whom it names; else, by its persons, the one who asks ("my dog", 我的) or
 * the one who is asked ("the book you recommended", 你推荐的). And what is left of it without the names, since every turn
 * of a conversation lies near the names of those who hold it.
 */
import type { Role } from "../base/turn.ts";
import { charClass, HAN } from "./char-class.ts";
import { findNamePlaces } from "./name-places.ts";
import { simplify } from "./simplify.ts";

export interface Participant {
  readonly name: string;
  readonly role: Role;
}

/** The names of the participants, each once and in the order given; none where the wording tells nothing. */
export function askedAbout(question: string, participants: readonly Participant[]): readonly string[] {
  const places = findNamePlaces(
    question,
    participants.map(({ name }) => name),
  );
  const called = new Set(places.map(({ name }) => name));
  const role = called.size > 0 ? undefined : roleAskedAbout(question);
  const chosen = participants.filter((one) => called.has(one.name) || one.role === role);
  return [...new Set(chosen.map(({ name }) => name))];
}

function roleAskedAbout(question: string): Role | undefined {
  const plain = simplify(question);
  if (YOU_SAID.test(plain) || YOU_SAID_CHINESE.test(plain)) return "assistant";
  const isToldByUser = I_TOLD.test(plain) || I_TOLD_CHINESE.test(plain);
  if (!isToldByUser && isAboutOurTalk(plain)) return "assistant";
  return FIRST_PERSON.test(plain) || FIRST_PERSON_CHINESE.test(plain) ? "user" : undefined;
}

const SAID =
  "said|told|mentioned|recommended|suggested|gave|given|provided|advised|explained|listed|described|shared|wrote|written|offered|proposed|showed|shown|answered|replied|outlined|quoted|cited|promised|warned|taught|came up with|come up with|talked|referred|pointed|introduced|created|generated|named";
const SAY =
  "say|tell|mention|recommend|suggest|give|provide|advise|explain|list|describe|share|write|offer|propose|show|answer|reply|outline|quote|cite|promise|teach|come up with|talk";
const ADVERBS =
  "(?:(?:previously|already|just|also|once|earlier|originally|first|last|initially|actually|ever|kindly|specifically|recently|had|have) ){0,2}";
/** What the one who is asked has said; "Can you recommend …?" wants something new. */
const YOU_SAID = new RegExp(
  `\\byou(?:['’](?:ve|d))? ${ADVERBS}(?:${SAID})\\b|\\bdid you ${ADVERBS}(?:${SAY})\\b|\\b(?:have|had) you ${ADVERBS}(?:${SAID})\\b|\\bremind me (?:of )?(?:what|which|who|where|how|when|the \\w{1,20}) you\\b|\\byour (?:previous|earlier|last|first|original|initial|prior|old) (?:\\w{1,20} )?(?:recommendations?|suggestions?|advice|answers?|explanations?|repl(?:y|ies)|responses?)\\b`,
  "i",
);
const I_TOLD = new RegExp(
  `\\b(?:I(?:['’](?:ve|d))?|did I|have I) ${ADVERBS}(?:${SAID}|${SAY}|asked|ask)\\b`,
  "i",
);
const OUR_TALK =
  /\b(?:our|the) (?:\w{1,20} ){0,2}(?:conversations?|chats?|discussions?|talks?|sessions?|exchanges?)\b|\bwe (?:\w{1,20} ){0,2}(?:discussed|talked|chatted|outlined|spoke)\b/i;

/** "In our previous conversation … can you remind me …": what was talked about was mostly said by the one who is asked. */
function isAboutOurTalk(plain: string): boolean {
  const english = OUR_TALK.exec(plain);
  if (english !== null)
    return /\byou(?:r|['’]\w{1,3})?\b/i.test(plain.slice(english.index + english[0].length));
  const chinese = OUR_TALK_CHINESE.exec(plain);
  return chinese !== null && /[你您]/.test(plain.slice(chinese.index + chinese[0].length));
}

/** "US" is a country, the "I" of "World War I" a number, and "tell me" says nothing about me. */
const FIRST_PERSON =
  /(?<!\b(?:War|Part|Chapter|Volume|Type|Phase|Act|Book|Level) )\b[Ii]\b(?!\.\p{L})|\b(?:[Mm]y|MY|(?<!\b(?:[Tt]ell|[Ss]how|[Gg]ive|[Ll]et) )[Mm]e|[Mm]yself|[Ww]e|WE|[Uu]s|[Oo]urs?|OUR|[Oo]urselves|of mine)\b/u;

const EARLIER =
  "之前|曾经?|以前|上次|上回|当时|当初|刚才|刚刚|那天|那次|前面|昨天|前天|今天|上周|上个月|最近|后来|一开始|最初|最后|早就|先前|此前|先";
const BETWEEN =
  "已经|都|也|还|就|又|是|不是|是不是|有没有|到底|一共|总共|具体|给|跟|和|对|向|帮|为|我们?|咱们?|大家";
const SAID_CHINESE =
  "说|讲|推荐|建议|告诉|介绍|分享|列出?|提供|回答|解释|教|写|描述|举|给|提|聊|谈|安排|总结|整理|发";
/** 给你推荐 has the other one speak; 你能推荐 wants something new; 你说呢 is no memory, 你说的, 你说过, 你之前说 are. */
const NOT_TO_YOU = "(?<![给跟和对向与同为帮替]|告诉|提醒)";
const YOU_SAID_CHINESE = new RegExp(
  `${NOT_TO_YOU}[你您]们?(?:(?:${EARLIER})(?:${BETWEEN}|${EARLIER}){0,5}(?:${SAID_CHINESE})|(?:(?:${BETWEEN})(?<!我们?|咱们?)(?:我们?|咱们?)?){0,3}(?:提到|(?:${SAID_CHINESE})(?:给|到)?(?:我们?|咱们?)?[过了的])|(?:${EARLIER})的(?:建议|推荐|回答|解释))`,
  "u",
);
const I_TOLD_CHINESE =
  /(?:我|我们|咱们?)[^，。？！,.?!你您]{0,8}(?:给|跟|和|对|向|与|同|告诉)[^，。？！,.?!你您]{0,2}[你您]/u;
const OUR_TALK_CHINESE =
  /(?:我们|咱们?|我和你|我跟你)(?:的)?(?:上次|上回|之前|以前|前面|刚才|昨天|前几天|那次|曾经?)[^，。？！]{0,4}(?:对话|聊|谈|讨论|交流)/u;
const FIRST_PERSON_CHINESE = /(?<![自忘])我(?!国|行我素)|咱|俺|本人/u;

/** The question without those names, their possessive endings and what joined them; as it was if nothing would be left. */
export function withoutNames(question: string, names: readonly string[]): string {
  let out = "";
  let copied = 0;
  let isAfterName = false;
  for (const { start, end } of findNamePlaces(question, names)) {
    if (start < copied) continue;
    const between = question.slice(copied, start);
    if (!isAfterName) out = between;
    else if (!JOINS_NAMES.test(between)) out = joined(out, between);
    copied = end + endingAt(question, end);
    isAfterName = true;
  }
  if (!isAfterName) return question;
  out = joined(out, question.slice(copied));
  return /[\p{L}\p{N}]/u.test(out) ? out : question;
}

const JOINS_NAMES = /^\s*(?:[,，、&/]|,? ?and|,? ?or|和|跟|与|及|以及|还有)?\s*$/iu;

/** How long the possessive ending behind a name is: 's, the ' of "James'", 的. */
function endingAt(text: string, at: number): number {
  const next = text.slice(at, at + 3);
  if (/^['’]s(?![\p{L}\p{N}])/iu.test(next)) return 2;
  if (next.startsWith("的")) return 1;
  return /^['’](?![\p{L}\p{N}])/u.test(next) && /s/i.test(text.charAt(at - 1)) ? 1 : 0;
}

/** Both sides of a gap, with one blank or one mark between them. */
function joined(left: string, right: string): string {
  let before = left.trimEnd();
  let after = right.trimStart();
  while (/[("“‘（「『]$/.test(before) && CLOSING.get(before.slice(-1)) === after.charAt(0)) {
    before = before.slice(0, -1).trimEnd();
    after = after.slice(1).trimStart();
  }
  if (before === "") return after.replace(/^[,，、;；:：\s]+/u, "");
  if (/^[,.?!;:，。？！、；：)）]/u.test(after)) return before.replace(/[,，、;；:：]$/u, "") + after;
  const hadBlank = before.length < left.length || after.length < right.length;
  return hadBlank && after !== "" && !(isHan(before.at(-1)) && isHan(after[0]))
    ? `${before} ${after}`
    : before + after;
}

const CLOSING: ReadonlyMap<string, string> = new Map(
  ["()", '""', "“”", "‘’", "（）", "「」", "『』"].map((pair): [string, string] => [
    pair.charAt(0),
    pair.charAt(1),
  ]),
);

function isHan(character: string | undefined): boolean {
  return character !== undefined && charClass(character.charCodeAt(0)) === HAN;
}

/** Whether a sentence of the text begins with the name, or its first word, and goes on: "Mia is …", not "Mia, are you …". */
export function tellsOf(text: string, name: string): boolean {
  const names = [name, name.split(" ", 1)[0] ?? name];
  return text
    .split(/(?<=[.!?])\s+/u)
    .some((sentence) =>
      names.some((one) => sentence.startsWith(one) && GOES_ON.test(sentence.slice(one.length))),
    );
}

const GOES_ON = /^(?:['’]s)?\s+\p{Ll}/u;
