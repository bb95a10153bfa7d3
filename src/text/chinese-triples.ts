/**
 * Chinese triples: a clause is cut into words, what stands before the first relation verb is the subject, what stands
 * behind it the object. "X的Y是Z" is read as X – Y – Z, "X在P工作" as X – 在…工作 – P. A clause without a subject takes the
 * one before it, as Chinese does.
 */
import { BEFORE_VERB, CLAUSE_OPENERS, RELATION_VERBS } from "./lexicon/verbs-chinese.ts";
import { splitSentences } from "./sentences.ts";
import { simplify } from "./simplify.ts";
import type { Triple } from "./triple.ts";
import { splitWords, type Word } from "./words.ts";

export function findChineseTriples(text: string): Triple[] {
  const out: Triple[] = [];
  for (const sentence of splitSentences(text)) {
    let subject: string | undefined;
    for (const clause of sentence.text.split(/[，,；;：:。！？!?…—\s]+/u)) {
      if (!/\p{Script=Han}/u.test(clause)) continue;
      const found = clauseTriple(clause, subject);
      if (found === undefined) continue;
      subject = found.subject;
      if (isTold(found)) out.push(found);
    }
  }
  return out;
}

/** Whether both ends are things: not a clause of its own, not what is left of one. */
function isTold({ subject, object }: Triple): boolean {
  if (object === "" || subject.length > LONGEST_SUBJECT || object.length > LONGEST_OBJECT) return false;
  if (/^(?:的|来|去|过|听说|得|着)|的$/.test(object) && !/[^的]{2,}的$/.test(object)) return false;
  return !/觉得|感觉|听到|听说|总是|还有|不仅|真的|高兴|^(?:让|把|被|给|很|这|那|有)$|^(?:让|把|被|给)/.test(
    subject,
  );
}

const LONGEST_SUBJECT = 12;
const LONGEST_OBJECT = 30;
const ATTRIBUTE =
  /^(?<subject>.{1,12}?)的(?<relation>[^的]{1,8}?)(?:就)?(?<not>不)?(?:是|叫|为)(?<object>[^吗呢]{1,30})$/u;
const AT_PLACE =
  /^在(?<place>.{2,14}?)(?<verb>工作|上班|上学|读书|念书|学习|生活|居住|长大|出生|实习|出差|旅游|旅行|度假|打工|任教|开会|吃饭|跑步|锻炼|散步)(?<rest>.*)$/u;
const QUESTION = /什么|谁|哪|吗|怎么|为什么|多少|几点/;
const TRAILING = /(?:了|吧|呢|啊|呀|哦|啦|的时候)+$/u;

function clauseTriple(clause: string, carried: string | undefined): Triple | undefined {
  const attribute = attributeTriple(clause);
  if (attribute !== undefined) return attribute;
  const words = splitWords(clause).flatMap((word) => cutVerb(word));
  let from = 0;
  while (from < words.length && CLAUSE_OPENERS.has(plain(words[from]))) from++;
  const verb = words.findIndex((word, i) => i >= from && isRelation(words, i, word));
  if (verb < 0) return undefined;
  const subject = subjectOf(clause, words, from, verb) ?? carried;
  const head = words[verb];
  if (subject === undefined || head === undefined) return undefined;
  const relation = modeBefore(words, verb) + plain(head);
  const rest = clause.slice(head.index + head.text.length);
  const place = plain(head) === "在" ? AT_PLACE.exec(simplify(clause.slice(head.index))) : null;
  if (place?.groups !== undefined && QUESTION.test(clause) === false) {
    const start = head.index + 1;
    const object = clause.slice(start, start + (place.groups.place ?? "").length);
    return { subject, relation: `${modeBefore(words, verb)}在…${place.groups.verb ?? ""}`, object };
  }
  return {
    subject,
    relation: relation.replace(/了$/, ""),
    object: QUESTION.test(clause) ? "" : cleanObject(rest),
  };
}

function attributeTriple(clause: string): Triple | undefined {
  const groups = ATTRIBUTE.exec(clause)?.groups;
  if (groups === undefined || QUESTION.test(clause)) return undefined;
  const { subject = "", relation = "", object = "" } = groups;
  // 我喜欢的颜色是蓝色 tells of liking, not of an attribute of 我喜欢.
  const opener = splitWords(subject)[0];
  const owner =
    opener !== undefined && CLAUSE_OPENERS.has(plain(opener)) ? subject.slice(opener.text.length) : subject;
  if (owner === "" || splitWords(owner).some((word) => RELATION_VERBS.has(plain(word)))) return undefined;
  return {
    subject: owner,
    relation: `${groups.not === undefined ? "" : "不是"}${relation}`,
    object: cleanObject(object),
  };
}

/** 不喜欢, 没去过, 很喜欢 may come as one word: what stands before the verb is cut off and found again there. */
function cutVerb(word: Word): Word[] {
  const text = simplify(word.text);
  if (RELATION_VERBS.has(text)) return [word];
  const negation = /^(?:不|没有|没|很|最|也|都|还|更|太|挺|真|超)(?=.)/u.exec(text)?.[0];
  if (negation === undefined || !RELATION_VERBS.has(text.slice(negation.length))) return splitPronoun(word);
  return [
    { text: word.text.slice(0, negation.length), index: word.index },
    { text: word.text.slice(negation.length), index: word.index + negation.length },
  ];
}

/** 我不, 他去: the dictionary glues a pronoun to what follows. */
function splitPronoun(word: Word): Word[] {
  if (!/^[我你他她它][不没是有在去来想要爱]$/u.test(simplify(word.text))) return [word];
  return [
    { text: word.text.charAt(0), index: word.index },
    { text: word.text.slice(1), index: word.index + 1 },
  ];
}

function isRelation(words: readonly Word[], at: number, word: Word): boolean {
  const text = plain(word);
  if (!RELATION_VERBS.has(text)) return false;
  // 想 and 要 before another verb only colour it.
  const next = plain(words[at + 1]);
  if (BEFORE_VERB.has(text) && (RELATION_VERBS.has(next) || BEFORE_VERB.has(next))) return false;
  // 在学习: being at it, not at a place.
  if (text === "在" && next !== "在" && RELATION_VERBS.has(next)) return false;
  // 对我来说, 在北京: a preposition before the verb of the clause, unless the clause has no other.
  return text !== "对" || !words.slice(at + 1).some((later) => RELATION_VERBS.has(plain(later)));
}

function subjectOf(clause: string, words: readonly Word[], from: number, verb: number): string | undefined {
  let last = verb - 1;
  while (last >= from && isBeforeVerb(words[last])) last--;
  let first = from;
  while (first <= last && isBeforeVerb(words[first])) first++;
  // 我昨天和妈妈去: whoever comes along behind the time is no part of the subject.
  const broken = words.findIndex((word, i) => i > first && i <= last && isBeforeVerb(word));
  if (broken >= 0) last = broken - 1;
  const [start, end] = [words[first], words[last]];
  if (first > last || start === undefined || end === undefined) return undefined;
  return clause.slice(start.index, end.index + end.text.length);
}

function isBeforeVerb(word: Word | undefined): boolean {
  return BEFORE_VERB.has(plain(word)) || plain(word) === "在";
}

/** The negations and the wanting, planning or being able before a verb: they change what is said. */
function modeBefore(words: readonly Word[], verb: number): string {
  let mode = "";
  for (let i = verb - 1; i >= 0 && isBeforeVerb(words[i]); i--) {
    if (MODES.has(plain(words[i]))) mode = (words[i]?.text ?? "") + mode;
  }
  return mode;
}

const MODES: ReadonlySet<string> = new Set(
  "不 没 没有 从不 从未 未 别 并不 不再 不会 不想 不能 不要 不太 想 要 打算 计划 准备 决定 能 会 可以 将 将要 必须 应该 可能".split(
    " ",
  ),
);

function cleanObject(text: string): string {
  return text
    .replace(/^(?:了|过|着)+/u, "")
    .replace(TRAILING, "")
    .replace(/^[一两几三四五六七八九十\d]+(?:只|个|条|本|部|辆|位|名|张|件|家|台|双|块|杯|首|场|次|趟)/u, "")
    .trim();
}

function plain(word: Word | undefined): string {
  return word === undefined ? "" : simplify(word.text);
}
