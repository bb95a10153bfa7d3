/** Which sentences of a speaker say who they are? Those that state an attribute, an opinion, a habit or a quality of theirs. */
import type { Line } from "../dialogue.ts";
import { attributeFacts } from "../rules/attribute-fact.ts";
import { plainText } from "../rules/statement.ts";
import { type DialogueFact, dialogueFacts } from "./dialogue-facts.ts";

export interface PersonaTrait {
  readonly text: string;
  readonly kind: "trait" | "preference" | "fact";
}

export async function personaOf(speaker: string, lines: readonly Line[]): Promise<PersonaTrait[]> {
  // What others say before tells who is meant, and nothing about the speaker.
  const first = lines.findIndex((line) => line.speaker === speaker);
  const facts = await dialogueFacts(lines, Math.max(0, first));
  return facts.flatMap((fact) => {
    if (fact.speaker !== speaker) return [];
    const kind = kindOf(fact, speaker);
    return kind === undefined ? [] : [{ text: fact.text, kind }];
  });
}

/** "I love …", "I'm a …", "I always …": said by the speaker of the speaker. */
const PREFERENCE =
  /\bI(?:'m| am| really| absolutely| just| still| also|'ve always)*\s*(?:love|like|enjoy|prefer|hate|dislike|adore|can't stand|a (?:big |huge )?fan of|into|fond of|obsessed with)\b(?!\s+(?:your|it|that|how|those|these)\b)|\bmy favou?rite\b|我(?:最|很|也|一直|特别|非常|超)*(?:喜欢|爱|讨厌|偏爱|热爱|受不了)|我最(?:喜欢|爱)的/iu;
const HABIT =
  /\bI (?:always|usually|often|never|tend to|used to|try to)\b|\bevery (?:day|morning|evening|night|week|weekend)\b|我(?:总是|经常|常常|从不|通常|习惯|每天|每周)/iu;
const QUALITY =
  /\bI(?:'m| am) (?:(?:a|an|very|quite|pretty|really|so|the kind of) )?(?:\w+ )?(?:person|shy|outgoing|introvert\w*|extrovert\w*|organi[sz]ed|creative|ambitious|patient|impatient|curious|optimis\w+|pessimis\w+|stubborn|sensitive|perfectionist|calm|anxious|vegetarian|vegan|religious|spiritual|early bird|night owl)\b|我(?:是|比较|很|有点|挺|特别)(?:个)?.{0,3}(?:内向|外向|乐观|悲观|害羞|敏感|固执|有耐心|好奇|努力|懒|素食|急性子|慢性子|完美主义|夜猫子)/iu;
const FACT =
  /\bI(?:'m| am| have been|'ve been)? (?:a |an |the )?(?:single|married|\d+ years old|mother|father|mom|dad|parent|teacher|nurse|doctor|engineer|artist|writer|student|lawyer|musician|designer|manager|developer|scientist|counselor|volunteer\w*)\b|\bI (?:work|live|study|grew up|was born|come from|have (?:a|an|two|three|\d+) (?:\w+ )?(?:dogs?|cats?|kids?|child(?:ren)?|sons?|daughters?|brothers?|sisters?|pets?))\b|我(?:(?:现在|目前)?(?:是|当|做)(?:[^，。]{0,10}的)?一?[名位](?=\p{Script=Han})|是[^，。]{0,8}(?:护士|医生|老师|教师|学生|研究生|工程师|程序员|律师|设计师|会计|司机|厨师|作家|画家|记者|警察|经理|教授|公务员|演员|翻译)|是(?:一?个|.{1,6}人)|在.{1,8}(?:当|做)|换了?(?:一?[个份])?新?工作|住在|来自|在.{1,12}(?:工作|上班|读书|上学)|有[一二两三\d]+[个只条](?:孩子|儿子|女儿|猫|狗|哥哥|姐姐|弟弟|妹妹)|今年|的(?:工作|专业|爱好|生日|家乡)是)/iu;

function kindOf(fact: DialogueFact, speaker: string): PersonaTrait["kind"] | undefined {
  if (PREFERENCE.test(fact.said)) return "preference";
  if (QUALITY.test(fact.said) || HABIT.test(fact.said)) return "trait";
  if (FACT.test(fact.said)) return "fact";
  const own = attributeFacts(fact.text).find(({ entity }) => entity === plainText(speaker));
  if (own === undefined) return undefined;
  return own.attribute.startsWith("opinion of ") ? "preference" : "fact";
}
