/** Does answering need memory at all? The gate of SCM: small talk and sums do not. */
import { z } from "zod";
import { findEntities } from "../text/entities.ts";
import { simplify } from "../text/simplify.ts";
import { questionSchema } from "./dialogue.ts";
import { flagForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const gateMemory = defineTask({
  name: "gate_memory",
  summary: "Whether a message can only be answered well with what was said before.",
  fallback:
    "Yes for persons, the past and the first and second person; no for greetings, sums, translations and definitions.",
  input: z.object({ question: questionSchema }),
  reply: z.object({ needs_memory: flagForm, reason: z.string().default("") }),
  prompt: "gate_memory",
  placeholders: ["question"],
  fill: (input) => ({ question: input.question }),
  about: (input) => input.question,
  local: async ({ question }) => {
    const text = simplify(question).trim();
    if (GREETING.test(text)) return { needs_memory: false, reason: "greeting" };
    if (PERSONAL.test(text)) return { needs_memory: true, reason: "personal" };
    const persons = (await findEntities(question)).filter(({ kind }) => kind === "person");
    if (persons.length > 0) return { needs_memory: true, reason: "person" };
    const isGeneral = GENERAL.test(text) || !/\p{L}/u.test(text);
    // Asking in vain costs a search; not asking costs the answer.
    return { needs_memory: !isGeneral, reason: isGeneral ? "general" : "unknown" };
  },
});

const GREETING =
  /^(?:(?:hi|hey|hello|thanks?|thank you|ok(?:ay)?|bye|goodbye|good (?:morning|afternoon|evening|night)|how are you|what's up|nice to meet you|see you)\b[\s\p{P}]*(?:\w+[\s\p{P}]*){0,3}|(?:你好|您好|嗨|哈喽|谢谢|多谢|好的|再见|拜拜|早上好|早安|下午好|晚上好|晚安|最近怎么样|在吗)[\p{L}]{0,3}[\s\p{P}]*)$/iu;
const PERSONAL =
  /\b(?:i|me|my|mine|we|us|our|he|she|his|her|him|they|their|remember|recall|remind|last time|before|earlier|previously|again|you said|you told|we talked|yesterday|ago|last (?:week|month|year|night))\b|我|我们|咱|他|她|记得|记不记得|想起|提醒|上次|之前|以前|刚才|曾经|说过|提过|聊过|告诉过|昨天|前天|上周|上个月|去年/iu;
const GENERAL =
  /^\s*(?:what(?:'s| is) )?[\d\s+×÷*/().,^=%-]+\??\s*$|\b(?:translate|define|definition of|meaning of|spell|synonyms? (?:for|of)|capital of|convert|calculate|compute|solve|write (?:a|an|some) (?:poem|function|code|story|essay|python)|explain (?:how|what|the)|what is (?:an?|the) \w+|how (?:do|does) (?:an? |the )?\w+ work|who (?:invented|wrote|discovered))\b|翻译|定义|什么意思|拼写|同义词|首都|换算|计算|等于(?:多少|几)|解方程|写一?(?:首|篇|段|个)|解释一下|是什么原理|谁发明|谁写/iu;
