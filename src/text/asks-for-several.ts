/**
 * Does a question ask for a list, or for a count over occasions, so that no single turn can answer it? Told by its wording:
 * "how many", "both", a plural behind what or which, "What has she bought?", 哪些, 几次.
 */
import { nounOf, nounPhrase, type QuestionHead, questionHeads } from "./question-head.ts";
import { simplify } from "./simplify.ts";

export function asksForSeveral(question: string): boolean {
  if (SEVERAL.test(question) || SEVERAL_CHINESE.test(simplify(question))) return true;
  return questionHeads(question).some(asksForPlural);
}

const SEVERAL = new RegExp(
  [
    "\\bhow (?:many|often|frequently)\\b",
    "\\bboth\\b",
    "\\ball (?:of )?(?:the|his|her|their|my|our|your|these|those)\\b",
    "\\b(?:list|name) (?:all|every|some)\\b|^(?:please )?(?:list|name) the\\b",
    "\\b(?:kinds|types|sorts) of\\b",
    "\\b(?:what|which) (?:\\w{1,20} )?ways\\b",
    "\\bin common\\b|\\b(?:multiple|several) ",
    "\\b(?:each|every one|any two) of\\b",
    "\\b(?:in total|altogether|so far|over the years)\\b",
    "\\btotal (?:number|amount|cost|distance|price|time|weight|of)\\b",
    "\\b(?:what|who|where) (?:all|else)\\b",
  ].join("|"),
  "i",
);

const SEVERAL_CHINESE = new RegExp(
  [
    "哪些|哪[几两二三四五]|分别|一共|总共|加起来|合计|共同|多少[次回遍趟个位种本部只条家场首座]|所有|全部",
    "都[^，。？！]{0,6}(?:什么|哪|谁|啥)",
    // 几点, 几号 and 几岁 have one answer; 好几次 and 这几天 ask nothing.
    "(?<![好这那前后十近头])几[次回遍趟个位种本部只条家场首座件张样名对](?!月前|小时前|星期前)",
    "(?:什么|啥)(?:和|跟|以及|还有)(?:什么|啥)|(?:谁|哪里|哪儿)(?:和|跟)(?:谁|哪里|哪儿)|还有(?:什么|谁|哪)",
  ].join("|"),
  "u",
);

function asksForPlural({ word, phrase, verb, rest }: QuestionHead): boolean {
  if (word === "what" || word === "which") {
    if (phrase.length > 0) return isPluralPhrase(phrase);
    if (verb === undefined) return isPluralSubject(word, rest);
    if (verb === "are" || verb === "were") return nounPhrase(rest).some(isPlural);
    if ((verb === "do" || verb === "does") && DOES_FOR.test(rest.join(" "))) return true;
  }
  if (word === "who" && (verb === "are" || verb === "were")) return nounPhrase(rest).some(isPlural);
  if (verb !== "has" && verb !== "have") return false;
  if (word === "where") return true;
  return (word === "what" || word === "who") && phrase.length === 0 && !ONE_THING.test(rest.join(" "));
}

/** "What has she been working on?", "What has changed?" may well have one answer. */
const ONE_THING =
  /^(?:\S{1,40} ){0,2}(?:been|happened|changed|become|inspired|motivated|helped|caused|made her|made him)\b/i;

/** "What does she do to relax?" wants whatever she does. */
const DOES_FOR = /^(?:\S{1,40} ){1,3}do (?:to|for fun|in (?:his|her|their|my) (?:free|spare) time)\b/i;

/** Words that are no part of a noun phrase: behind them the verb belongs to somebody else. */
const PRONOUN = /^(?:I|[Yy]ou|[Hh]e|[Ss]he|[Ii]t|[Ww]e|[Tt]hey|him|me|us|them|to)$/;

function isPluralPhrase(phrase: readonly string[]): boolean {
  if (phrase.some((word) => PRONOUN.test(word))) return false;
  // "Which of her plays were …"
  return isPlural(nounOf(phrase)) || /^of$/i.test(phrase[0] ?? "");
}

const VERBS_WITH_S =
  /^(?:makes|motivates|helps|inspires|brings|gives|keeps|drives|happens|attracts|excites|worries|bothers|scares|sets|causes|leads|means|matters|allows|lets|comes|goes|takes|gets|looks|seems|feels|sounds|stands|fuels|draws|interests|fascinates|prevents|stops|prompts|encourages|reminds|distinguishes|connects|remains|concerns|surprises|annoys|relaxes|calms|says|shows|tells|describes|explains)$/i;
const FOLLOWS_VERB = /^(?:the|a|an|his|her|their|my|our|your|its|this|that|him|them|me|us|it|\p{Lu}.*)$/u;

/** "What attributes describe John?" asks for several; "What motivates John?" does not. */
function isPluralSubject(word: string, rest: readonly string[]): boolean {
  const [first = "", second = ""] = rest;
  if (!isPlural(first)) return false;
  return word === "which" || !(VERBS_WITH_S.test(first) || FOLLOWS_VERB.test(second) || second === "");
}

const PLURALS: ReadonlySet<string> = new Set(
  "people children men women kids mice feet teeth wives lives knives media criteria".split(" "),
);
const SINGULARS: ReadonlySet<string> = new Set(
  `does is his this its was has as us yes plus thus always perhaps sometimes besides news series species means bus gas
  lens canvas atlas bias texas christmas paris james physics mathematics maths economics politics athletics gymnastics
  aerobics electronics ethics logistics tennis chess arts-and-crafts`.split(/\s+/),
);

/** Whether an English word, as written, is the plural of a noun as far as its letters tell. */
function isPlural(word: string): boolean {
  const plain = word.toLowerCase();
  if (PLURALS.has(plain)) return true;
  // class, business, illness; virus, campus; analysis, tennis.
  return plain.length > 3 && /[^su'’i]s$/.test(plain) && !SINGULARS.has(plain);
}
