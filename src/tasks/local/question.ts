/** What does a question want to know? The kind of its answer, by the words questions are asked with, English and Chinese. */
import { simplify } from "../../text/simplify.ts";
import { contentWords } from "../rules/statement.ts";

export const ANSWER_KINDS = [
  "person",
  "place",
  "time",
  "duration",
  "number",
  "reason",
  "manner",
  "yes_no",
  "list",
  "thing",
] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** The first that matches decides; they are tried in this order. */
const ENGLISH: readonly (readonly [AnswerKind, RegExp])[] = [
  ["duration", /\bhow long\b|\bfor how many (?:years|months|weeks|days|hours)\b/],
  ["number", /\bhow (?:many|much|old|often|far|tall|big)\b|\bwhat (?:age|number|percentage|price)\b/],
  ["time", /\bwhen\b|\b(?:what|which) (?:time|date|day|month|year|season)\b|\bhow (?:recently|soon)\b/],
  [
    "place",
    /\bwhere\b|\b(?:what|which) (?:city|country|place|town|state|location|address|restaurant|hotel)\b/,
  ],
  ["person", /\bwho(?:m|se)?\b|\b(?:what|which) (?:person|friend|name)\b/],
  ["reason", /\bwhy\b|\bhow come\b|\bwhat (?:made|motivated|inspired|caused)\b|\bfor what reason\b/],
  [
    "list",
    /\b(?:what|which) (?:are|were|all|kinds?|types?|hobbies|activities|books|events|places|items|\w+s do|\w+s does|\w+s has|\w+s did)\b|\blist\b|\bname all\b/,
  ],
  [
    "yes_no",
    /^(?:do|does|did|is|are|was|were|am|can|could|will|would|has|have|had|should|may|might)(?:n't)?\b/,
  ],
  ["manner", /\bhow\b/],
];

const CHINESE: readonly (readonly [AnswerKind, RegExp])[] = [
  ["duration", /多久|多长时间|几年了|几个(?:小时|月|星期)|多少(?:年|天|个月)/u],
  ["number", /多少|几(?:个|岁|次|只|本|块|条|位|人|口)|多大|多高|多远|多重/u],
  ["time", /什么时候|何时|几点|哪天|哪一天|哪年|哪一年|几月|几号|星期几|周几|什么时间|哪个月/u],
  ["place", /哪里|哪儿|什么地方|何处|哪个(?:城市|国家|地方|省|学校)|在哪/u],
  ["person", /谁|哪位|什么人|哪个人|叫什么名字/u],
  ["reason", /为什么|为何|怎么会|什么原因|干嘛/u],
  ["list", /哪些|有什么|都有|列出|分别/u],
  ["yes_no", /吗[？?]?$|是不是|有没有|是否|能不能|会不会|对不对|要不要/u],
  ["manner", /怎么|怎样|如何/u],
];

export function answerKindOf(question: string): AnswerKind {
  const text = simplify(question).toLowerCase().trim();
  const table = /\p{Script=Han}/u.test(text) ? CHINESE : ENGLISH;
  return table.find(([, pattern]) => pattern.test(text))?.[0] ?? "thing";
}

/** Words that ask, or only frame the question: they are not in the answer's sentence. */
const ASKING_ENGLISH: ReadonlySet<string> = contentWords(
  "what which who whom whose when where why how many much long old often kind kinds type types does did tell know name list please remind mention happen happened recently year month day date time currently nowadays",
);
const ASKING_CHINESE =
  /什么时候|什么时间|什么地方|为什么|什么|哪里|哪儿|哪些|哪个|哪位|哪天|哪年|多少|多久|多大|几[个岁次点号]|怎么样|怎么|怎样|如何|是不是|有没有|是否|能不能|会不会|请问|告诉我|吗|呢|谁|何时|现在|目前|如今/gu;

/** The content words of a question without those that only ask. */
export function questionWords(question: string): ReadonlySet<string> {
  const told = contentWords(simplify(question).replace(ASKING_CHINESE, " "));
  const words = new Set([...told].filter((word) => !ASKING_ENGLISH.has(word)));
  return words.size > 0 ? words : told;
}

/** Whether it is asked how things are, how they were before that, or what happened. Who somebody is, is told first. */
export function timeAskedOf(question: string): "present" | "before" | "past" {
  const text = simplify(question);
  if (BEFORE.test(text)) return "before";
  return /\b(?:did|was|were|had)\b|[了过]|曾|当时/iu.test(text) ? "past" : "present";
}

const BEFORE =
  /\b(?:before|previously|formerly|used to|originally|at first|who (?:is|are))\b|以前|之前|原来|从前|过去|本来|是谁|谁是/iu;

/** "When did Alice move to Paris?" → "Alice move to Paris"; 小明什么时候搬到北京的？ → 小明搬到北京. */
export function statementOf(question: string): string {
  const bare = /\p{Script=Han}/u.test(question)
    ? question.replace(ASKING_CHINESE, "").replace(/的?\s*[？?。.\s]*$/u, "")
    : question
        .replace(/[?.!\s]+$/u, "")
        .replace(
          /^(?:(?:can|could|would) you (?:please )?(?:tell me|remind me|say)\s+|do you (?:know|remember)\s+|please\s+)/iu,
          "",
        )
        .replace(
          /^(?:what|which|who|whom|whose|when|where|why|how)\b(?:\s+(?:many|much|long|old|often|kinds? of|types? of))?\s*(?:\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b\s*)?/iu,
          "",
        )
        .replace(
          /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)(?:n['’]t)?\s+/iu,
          "",
        );
  const clean = bare.trim();
  return clean === "" ? question.trim() : clean;
}
